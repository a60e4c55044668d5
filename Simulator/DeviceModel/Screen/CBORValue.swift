import WatchLink

/// A CBOR item as a value of its own. Small and tolerant: what a screen description has no use for becomes `.other`.
enum CBORValue: Equatable {
    case unsigned(UInt64)
    case text(String)
    case array([CBORValue])
    /// Pairs, in the order in which they came; only those whose key is an integer from 0 on.
    case map([UInt64: CBORValue])
    case other

    /// The one item that `bytes` begin with.
    ///
    /// - Throws: `.malformed` when they are no CBOR, or nested deeper than eight levels.
    init(_ bytes: [UInt8]) throws(DescriptionError) {
        var reader = CBORReader(bytes.span)
        do throws(CBORError) {
            self = try CBORValue(from: &reader, depth: 0)
        } catch {
            throw .malformed("\(error) at byte \(reader.offset)")
        }
    }

    private init(from reader: inout CBORReader, depth: Int) throws(CBORError) {
        guard depth < 8 else { throw .tooDeep }
        switch try reader.peekKind() {
        case .unsigned: self = .unsigned(try reader.unsigned())
        case .text:
            let utf8 = try reader.text()
            self = .text(String(decoding: utf8.indices.map { utf8[$0] }, as: UTF8.self))
        case .array: self = .array(try CBORValue.items(from: &reader, depth: depth))
        case .map: self = .map(try CBORValue.pairs(from: &reader, depth: depth))
        case .negative, .bytes, .tag, .boolean, .null, .undefined, .simple, .float, .indefiniteBytes, .indefiniteText,
            .indefiniteArray, .indefiniteMap, .breakStop:
            try reader.skip()
            self = .other
        }
    }

    private static func items(from reader: inout CBORReader, depth: Int) throws(CBORError) -> [CBORValue] {
        var items: [CBORValue] = []
        for _ in 0..<(try reader.array()) { items.append(try CBORValue(from: &reader, depth: depth + 1)) }
        return items
    }

    private static func pairs(from reader: inout CBORReader, depth: Int) throws(CBORError) -> [UInt64: CBORValue] {
        var pairs: [UInt64: CBORValue] = [:]
        for _ in 0..<(try reader.map()) {
            let key = try CBORValue(from: &reader, depth: depth + 1)
            let value = try CBORValue(from: &reader, depth: depth + 1)
            if case .unsigned(let number) = key { pairs[number] = value }
        }
        return pairs
    }
}

extension CBORValue {
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number where it fits in 32 bits, or nil.
    var word: UInt32? {
        if case .unsigned(let number) = self { UInt32(exactly: number) } else { nil }
    }

    var items: [CBORValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}
