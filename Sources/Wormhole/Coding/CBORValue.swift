import WatchLink

/// A CBOR data item in memory. Decoding drops a tag and keeps its content, because no Swift type needs tags.
enum CBORValue: Hashable, Sendable {
    /// An integer from -2^64 to 2^64 - 1.
    case integer(Int128)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORKey: CBORValue])
    case boolean(Bool)
    /// Null, `undefined`, or a simple value without a meaning in RFC 8949.
    case null
    case float(Double)

    /// The maximum depth of nested arrays, maps and tags. The link protocol has the same limit.
    static let deepestNesting = CBORReader.deepestNesting

    /// The range of integers that CBOR encodes without a tag.
    static let integers = -(Int128(1) << 64)...(Int128(1) << 64) - 1

    var kindName: String {
        switch self {
        case .integer: "an integer"
        case .bytes: "bytes"
        case .text: "text"
        case .array: "an array"
        case .map: "a map"
        case .boolean: "true or false"
        case .null: "null"
        case .float: "a floating-point number"
        }
    }
}

enum CBORKey: Hashable, Sendable {
    case integer(Int64)
    case text(String)

    /// Makes an integer key if the coding key has an integer, otherwise a text key. Swift gives the dictionary key "05" the
    /// integer 5. Such a key becomes text, so that it does not collide with the key "5".
    init(_ key: some CodingKey) {
        guard let integer = key.intValue, Int(key.stringValue) != integer || String(integer) == key.stringValue else {
            self = .text(key.stringValue)
            return
        }
        self = .integer(Int64(integer))
    }

    fileprivate init?(_ value: CBORValue) {
        switch value {
        case .integer(let number):
            guard let number = Int64(exactly: number) else { return nil }
            self = .integer(number)
        case .text(let text): self = .text(text)
        case .bytes, .array, .map, .boolean, .null, .float: return nil
        }
    }

    func codingKey<Key: CodingKey>(as type: Key.Type) -> Key? {
        switch self {
        case .integer(let number): Int(exactly: number).flatMap { Key(intValue: $0) }
        case .text(let text): Key(stringValue: text)
        }
    }

    /// Whether this key comes before `other` in the deterministic order of RFC 8949, 4.2.1: 0, 1, 2 …, then -1, -2 …, then
    /// texts. A shorter text precedes a longer one, and texts of equal length are ordered by their bytes.
    func precedes(_ other: CBORKey) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)):
            if left < 0 && right < 0 { return left > right }
            return left < 0 || right < 0 ? left >= 0 : left < right
        case (.integer, .text): return true
        case (.text, .integer): return false
        case (.text(let left), .text(let right)):
            let lengths = (left.utf8.count, right.utf8.count)
            return lengths.0 == lengths.1 ? left.utf8.lexicographicallyPrecedes(right.utf8) : lengths.0 < lengths.1
        }
    }
}

extension CBORKey: CustomStringConvertible {
    var description: String {
        switch self {
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}

// MARK: Reading

extension CBORValue {
    /// - Throws: `.coding` if the bytes are not exactly one well-formed item, are nested too deep, or repeat a key of a map.
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

    /// - Parameter depth: how many more levels of arrays, maps and tags are allowed.
    @_lifetime(reader: copy reader)
    private init(from reader: inout CBORReader, depth: Int) throws(CBORError) {
        switch try reader.peekKind() {
        case .unsigned: self = .integer(Int128(try reader.unsigned()))
        case .negative: self = .integer(~Int128(try reader.negative()))
        case .bytes: self = .bytes(CBORValue.copy(try reader.bytes()))
        case .text: self = .text(String(decoding: CBORValue.copy(try reader.text()), as: UTF8.self))
        case .boolean: self = .boolean(try reader.boolean())
        case .null, .undefined, .simple:
            try reader.skip()
            self = .null
        case .float: self = .float(try reader.float())
        case .indefiniteBytes, .indefiniteText: self = try CBORValue.chunks(from: &reader)
        case .array:
            let depth = try CBORValue.inside(depth)
            var items: [CBORValue] = []
            for _ in 0..<(try reader.array()) { items.append(try CBORValue(from: &reader, depth: depth)) }
            self = .array(items)
        case .indefiniteArray:
            let depth = try CBORValue.inside(depth)
            try reader.beginIndefinite()
            var items: [CBORValue] = []
            while try !reader.takeBreak() { items.append(try CBORValue(from: &reader, depth: depth)) }
            self = .array(items)
        case .map:
            let depth = try CBORValue.inside(depth)
            var pairs: [CBORKey: CBORValue] = [:]
            for _ in 0..<(try reader.map()) { try CBORValue.readPair(from: &reader, depth: depth, into: &pairs) }
            self = .map(pairs)
        case .indefiniteMap:
            let depth = try CBORValue.inside(depth)
            try reader.beginIndefinite()
            var pairs: [CBORKey: CBORValue] = [:]
            while try !reader.takeBreak() { try CBORValue.readPair(from: &reader, depth: depth, into: &pairs) }
            self = .map(pairs)
        case .tag:
            _ = try reader.tag()
            self = try CBORValue(from: &reader, depth: try CBORValue.inside(depth))
        case .breakStop: throw .malformed
        }
    }

    private static func inside(_ depth: Int) throws(CBORError) -> Int {
        guard depth > 0 else { throw .tooDeep }
        return depth - 1
    }

    /// Reads a key and its value into `pairs`. Drops both if the key is neither text nor a signed 64-bit integer.
    @_lifetime(reader: copy reader)
    private static func readPair(
        from reader: inout CBORReader, depth: Int, into pairs: inout [CBORKey: CBORValue]
    ) throws(CBORError) {
        let key = try CBORValue(from: &reader, depth: depth)
        let value = try CBORValue(from: &reader, depth: depth)
        guard let key = CBORKey(key) else { return }
        guard pairs.updateValue(value, forKey: key) == nil else { throw .malformed }
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

// MARK: Writing

extension CBORValue {
    /// - Throws: `.coding` with `.tooDeep`, or with `.tooLarge` if the item has more than `largestSize` bytes.
    func encoded(largestSize: Int) throws(WormholeError) -> [UInt8] {
        var size = min(256, largestSize)
        while true {
            var buffer = [UInt8](repeating: 0, count: size)
            do throws(CBORError) {
                var writer = CBORWriter(buffer.mutableSpan)
                try write(into: &writer, depth: CBORValue.deepestNesting)
                let count = writer.count
                buffer.removeSubrange(count...)
                return buffer
            } catch {
                guard error != .tooDeep else { throw .coding(.tooDeep(limit: CBORValue.deepestNesting)) }
                guard error == .outOfSpace, size < largestSize else { throw .coding(.tooLarge(limit: largestSize)) }
                size = min(size * 4, largestSize)
            }
        }
    }

    @_lifetime(writer: copy writer)
    private func write(into writer: inout CBORWriter, depth: Int) throws(CBORError) {
        switch self {
        case .integer(let number) where number < 0: try writer.negative(UInt64(~number))
        case .integer(let number): try writer.unsigned(UInt64(number))
        case .bytes(let bytes): try writer.bytes(bytes.span)
        case .text(let text): try writer.text(Array(text.utf8).span)
        case .array(let items):
            let depth = try CBORValue.inside(depth)
            try writer.array(count: items.count)
            for item in items { try item.write(into: &writer, depth: depth) }
        case .map(let pairs):
            let depth = try CBORValue.inside(depth)
            try writer.map(count: pairs.count)
            for (key, value) in pairs.sorted(by: { $0.key.precedes($1.key) }) {
                switch key {
                case .integer(let number): try writer.integer(number)
                case .text(let text): try writer.text(Array(text.utf8).span)
                }
                try value.write(into: &writer, depth: depth)
            }
        case .boolean(let truth): try writer.boolean(truth)
        case .null: try writer.null()
        case .float(let number): try writer.float(number)
        }
    }
}
