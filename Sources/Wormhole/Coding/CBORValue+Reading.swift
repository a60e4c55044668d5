import WatchLink

extension CBORValue {
    /// The one data item that `bytes` are.
    ///
    /// - Throws: `.coding` where they are not one well-formed item, more than one, nested too deep, or a map has a key
    ///   twice.
    init(decoding bytes: [UInt8]) throws(WormholeError) {
        do throws(CBORError) {
            var reader = CBORReader(bytes.span, maximumDepth: CBORValue.deepestNesting)
            self = try CBORValue(from: &reader, depth: CBORValue.deepestNesting)
            guard reader.isAtEnd else { throw .malformed }
        } catch {
            guard error != .tooDeep else { throw .coding(.tooDeep(limit: CBORValue.deepestNesting)) }
            throw .coding(.malformed("\(error)"))
        }
    }

    @_lifetime(reader: copy reader)
    private init(from reader: inout CBORReader, depth: Int) throws(CBORError) {
        switch try reader.peekKind() {
        case .unsigned: self = .unsigned(try reader.unsigned())
        case .negative: self = .negative(try reader.negative())
        case .bytes: self = .bytes(CBORValue.copy(try reader.bytes()))
        case .text: self = .text(String(decoding: CBORValue.copy(try reader.text()), as: UTF8.self))
        case .boolean: self = try reader.boolean() ? .yes : .no
        case .null:
            try reader.null()
            self = .null
        case .undefined:
            try reader.undefined()
            self = .undefined
        case .simple: self = .simple(try reader.simple())
        case .float: self = .float(try reader.float())
        case .indefiniteBytes, .indefiniteText: self = try CBORValue.chunks(from: &reader)
        case .array, .indefiniteArray, .map, .indefiniteMap, .tag:
            guard depth > 0 else { throw .tooDeep }
            self = try CBORValue.container(from: &reader, depth: depth - 1)
        case .breakStop: throw .malformed
        }
    }

    @_lifetime(reader: copy reader)
    private static func container(from reader: inout CBORReader, depth: Int) throws(CBORError) -> CBORValue {
        switch try reader.peekKind() {
        case .array:
            var items: [CBORValue] = []
            for _ in 0..<(try reader.array()) { items.append(try CBORValue(from: &reader, depth: depth)) }
            return .array(items)
        case .indefiniteArray:
            try reader.beginIndefinite()
            var items: [CBORValue] = []
            while try !reader.takeBreak() { items.append(try CBORValue(from: &reader, depth: depth)) }
            return .array(items)
        case .map:
            var pairs: [CBORKey: CBORValue] = [:]
            for _ in 0..<(try reader.map()) { try readPair(from: &reader, depth: depth, into: &pairs) }
            return .map(pairs)
        case .indefiniteMap:
            try reader.beginIndefinite()
            var pairs: [CBORKey: CBORValue] = [:]
            while try !reader.takeBreak() { try readPair(from: &reader, depth: depth, into: &pairs) }
            return .map(pairs)
        case .tag:
            let number = try reader.tag()
            return .tag(number, try CBORValue(from: &reader, depth: depth))
        case .unsigned, .negative, .bytes, .text, .boolean, .null, .undefined, .simple, .float, .indefiniteBytes,
            .indefiniteText, .breakStop:
            throw .unexpectedKind
        }
    }

    /// Reads a key and its value. A key that no `CodingKey` can be is passed over with its value.
    @_lifetime(reader: copy reader)
    private static func readPair(
        from reader: inout CBORReader, depth: Int, into pairs: inout [CBORKey: CBORValue]
    ) throws(CBORError) {
        let key = try CBORValue(from: &reader, depth: depth)
        let value = try CBORValue(from: &reader, depth: depth)
        switch key {
        case .unsigned(let number):
            guard let number = Int64(exactly: number) else { return }
            guard pairs.updateValue(value, forKey: .integer(number)) == nil else { throw .malformed }
        case .negative(let argument):
            guard let argument = Int64(exactly: argument) else { return }
            guard pairs.updateValue(value, forKey: .integer(-1 - argument)) == nil else { throw .malformed }
        case .text(let text):
            guard pairs.updateValue(value, forKey: .text(text)) == nil else { throw .malformed }
        case .bytes, .array, .map, .tag, .yes, .no, .null, .undefined, .simple, .float: return
        }
    }

    @_lifetime(reader: copy reader)
    private static func chunks(from reader: inout CBORReader) throws(CBORError) -> CBORValue {
        let kind = try reader.peekKind()
        try reader.beginIndefinite()
        var bytes: [UInt8] = []
        while try !reader.takeBreak() {
            bytes += copy(try kind == .indefiniteBytes ? reader.bytes() : reader.text())
        }
        return kind == .indefiniteBytes ? .bytes(bytes) : .text(String(decoding: bytes, as: UTF8.self))
    }

    private static func copy(_ span: Span<UInt8>) -> [UInt8] {
        span.withUnsafeBufferPointer { Array($0) }
    }
}
