/// A CBOR data item as a value: what the coders build before it is written and after it was read.
indirect enum CBORValue: Hashable, Sendable {
    case unsigned(UInt64)
    /// The number -1 - argument.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORKey: CBORValue])
    case tag(UInt64, CBORValue)
    case yes
    case no
    case null
    case undefined
    case simple(UInt8)
    case float(Double)

    /// Integers of either sign have one form.
    init(_ number: Int64) {
        self = number < 0 ? .negative(~UInt64(bitPattern: number)) : .unsigned(UInt64(number))
    }

    /// Whether there is no value: `null` or `undefined`.
    var isNull: Bool {
        switch self {
        case .null, .undefined: true
        case .unsigned, .negative, .bytes, .text, .array, .map, .tag, .yes, .no, .simple, .float: false
        }
    }

    /// The value without the tags around it: a type that is asked for by name needs none.
    var untagged: CBORValue {
        var value = self
        while case .tag(_, let content) = value { value = content }
        return value
    }

    /// What kind of value it is, for a person to read.
    var kindName: String {
        switch self {
        case .unsigned, .negative: "an integer"
        case .bytes: "bytes"
        case .text: "text"
        case .array: "an array"
        case .map: "a map"
        case .tag: "a tagged value"
        case .yes, .no: "true or false"
        case .null, .undefined: "null"
        case .simple: "a simple value"
        case .float: "a floating-point number"
        }
    }
}

/// A key of a map: an integer or text, which is all that a `CodingKey` says.
enum CBORKey: Hashable, Sendable {
    case integer(Int64)
    case text(String)

    /// The integer of a key that has one, else its text.
    ///
    /// The key of a dictionary of strings has an integer too wherever its text reads as one; "05" is then not "5".
    init(_ key: some CodingKey) {
        guard let integer = key.intValue, Int(key.stringValue) != integer || String(integer) == key.stringValue else {
            self = .text(key.stringValue)
            return
        }
        self = .integer(Int64(integer))
    }

    /// The same key for a type that has it.
    func codingKey<Key: CodingKey>(as type: Key.Type) -> Key? {
        switch self {
        case .integer(let number): Int(exactly: number).flatMap { Key(intValue: $0) }
        case .text(let text): Key(stringValue: text)
        }
    }

    /// Deterministic order of RFC 8949, 4.2.1: byte by byte as encoded, so non-negative integers, then negative ones
    /// from -1 down, then text, the shorter first.
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
