import WatchLink

/// A CBOR item as a tree, built by the reader's calls and written by the writer's: what the tests compare.
indirect enum CBORItem: Equatable {
    case unsigned(UInt64)
    /// -1 - n
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORItem])
    case map([Pair])
    case tag(UInt64, CBORItem)
    case boolean(Bool)
    case null
    case undefined
    case simple(UInt8)
    case float(UInt64)
    case chunks([CBORItem])
    case openArray([CBORItem])
    case openMap([Pair])

    struct Pair: Equatable {
        let key: CBORItem
        let value: CBORItem
    }

    /// Reads one item, nested at most `depth` deep.
    init(_ reader: inout CBORReader, depth: Int = 16) throws(CBORError) {
        guard depth > 0 else { throw .tooDeep }
        switch try reader.peekKind() {
        case .unsigned: self = .unsigned(try reader.unsigned())
        case .negative: self = .negative(try reader.negative())
        case .bytes:
            let span = try reader.bytes()
            self = .bytes(span.indices.map { span[$0] })
        case .text: self = .text(string(try reader.text()))
        case .array:
            var items: [CBORItem] = []
            for _ in 0..<(try reader.array()) { items.append(try CBORItem(&reader, depth: depth - 1)) }
            self = .array(items)
        case .map:
            var pairs: [Pair] = []
            for _ in 0..<(try reader.map()) { pairs.append(try CBORItem.pair(&reader, depth - 1)) }
            self = .map(pairs)
        case .tag: self = .tag(try reader.tag(), try CBORItem(&reader, depth: depth - 1))
        case .boolean: self = .boolean(try reader.boolean())
        case .null:
            try reader.null()
            self = .null
        case .undefined:
            try reader.undefined()
            self = .undefined
        case .simple: self = .simple(try reader.simple())
        case .float: self = .float(try reader.float().bitPattern)
        case .indefiniteBytes: self = .chunks(try CBORItem.untilBreak(&reader, depth, only: .bytes))
        case .indefiniteText: self = .chunks(try CBORItem.untilBreak(&reader, depth, only: .text))
        case .indefiniteArray: self = .openArray(try CBORItem.untilBreak(&reader, depth, only: nil))
        case .indefiniteMap:
            try reader.beginIndefinite()
            var pairs: [Pair] = []
            while !(try reader.takeBreak()) { pairs.append(try CBORItem.pair(&reader, depth - 1)) }
            self = .openMap(pairs)
        case .breakStop: throw .malformed
        }
    }

    private static func pair(_ reader: inout CBORReader, _ depth: Int) throws(CBORError) -> Pair {
        let key = try CBORItem(&reader, depth: depth)
        return Pair(key: key, value: try CBORItem(&reader, depth: depth))
    }

    private static func untilBreak(
        _ reader: inout CBORReader, _ depth: Int, only kind: CBORKind?
    ) throws(CBORError) -> [CBORItem] {
        try reader.beginIndefinite()
        var items: [CBORItem] = []
        while !(try reader.takeBreak()) {
            if let kind, try reader.peekKind() != kind { throw .malformed }
            items.append(try CBORItem(&reader, depth: depth - 1))
        }
        return items
    }

    /// Reads the one item that the bytes are.
    static func read(_ bytes: [UInt8], depth: Int = 16) throws(CBORError) -> CBORItem {
        var reader = CBORReader(bytes.span)
        let item = try CBORItem(&reader, depth: depth)
        if !reader.isAtEnd { throw .malformed }
        return item
    }
}

extension CBORItem {
    /// Writes the item in deterministic form: known lengths, keys in the order of their encodings.
    func write(_ writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .unsigned(let value): try writer.unsigned(value)
        case .negative(let argument):
            if argument <= UInt64(Int64.max) {
                try writer.integer(-1 - Int64(argument))
            } else {
                try writer.negative(argument)
            }
        case .bytes(let value): try writer.bytes(value.span)
        case .text(let value): try writer.text(Array(value.utf8).span)
        case .array(let items), .openArray(let items):
            try writer.array(count: items.count)
            for item in items { try item.write(&writer) }
        case .map(let pairs), .openMap(let pairs):
            try writer.map(count: pairs.count)
            var encoded: [(key: [UInt8], value: CBORItem)] = []
            for pair in pairs { encoded.append((try pair.key.encoded(), pair.value)) }
            for pair in encoded.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                try writer.raw(pair.key.span)
                try pair.value.write(&writer)
            }
        case .tag(let number, let content):
            try writer.tag(number)
            try content.write(&writer)
        case .boolean(let value): try writer.boolean(value)
        case .null: try writer.null()
        case .undefined: try writer.undefined()
        case .simple(let value): try writer.simple(value)
        case .float(let bits): try writer.float(Double(bitPattern: bits))
        case .chunks(let chunks): try CBORItem.joined(chunks).write(&writer)
        }
    }

    func encoded() throws(CBORError) -> [UInt8] {
        try written { (writer) throws(CBORError) in try write(&writer) }
    }

    private static func joined(_ chunks: [CBORItem]) -> CBORItem {
        var all: [UInt8] = []
        var isText = false
        for chunk in chunks {
            if case .bytes(let bytes) = chunk { all += bytes }
            if case .text(let text) = chunk {
                all += Array(text.utf8)
                isText = true
            }
        }
        return isText ? .text(String(decoding: all, as: UTF8.self)) : .bytes(all)
    }
}

extension CBORItem {
    var diagnostic: String {
        switch self {
        case .unsigned(let value): return "\(value)"
        case .negative(let argument): return argument == .max ? "-18446744073709551616" : "-\(argument + 1)"
        case .bytes(let value): return "h'\(hex(value))'"
        case .text(let value): return "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        case .array(let items): return "[" + items.map(\.diagnostic).joined(separator: ", ") + "]"
        case .openArray(let items): return "[_ " + items.map(\.diagnostic).joined(separator: ", ") + "]"
        case .map(let pairs): return "{" + pairs.map(\.diagnostic).joined(separator: ", ") + "}"
        case .openMap(let pairs): return "{_ " + pairs.map(\.diagnostic).joined(separator: ", ") + "}"
        case .chunks(let chunks): return "(_ " + chunks.map(\.diagnostic).joined(separator: ", ") + ")"
        case .tag(let number, let content): return "\(number)(\(content.diagnostic))"
        case .boolean(let value): return "\(value)"
        case .null: return "null"
        case .undefined: return "undefined"
        case .simple(let value): return "simple(\(value))"
        case .float(let bits):
            let value = Double(bitPattern: bits)
            if value.isNaN { return "NaN" }
            return value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : "\(value)"
        }
    }
}

extension CBORItem.Pair {
    var diagnostic: String { "\(key.diagnostic): \(value.diagnostic)" }
}
