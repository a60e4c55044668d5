/// A value in a D-Bus message (D-Bus Specification 0.42, "Type System"). It can have each D-Bus type except a file
/// descriptor, which Tapline does not use.
indirect enum BusValue: Hashable, Sendable {
    case boolean(Bool)
    /// The letter of the number's D-Bus type, one of `ynqiuxtd`, and the number's bits. Shorter types are extended to 64
    /// bits: `n` and `i` with the sign, `y`, `q` and `u` with zeros.
    case number(Character, Int64)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// The D-Bus signature of an element, and the elements. The signature is stored because it cannot be derived from
    /// the elements of an empty array.
    case array(of: String, [BusValue])
    /// The D-Bus signatures of a key and of a value, and the entries.
    case dictionary(keys: String, values: String, [BusValue: BusValue])
    case structure([BusValue])
    /// A value of any type, which is sent with its signature (D-Bus type `v`).
    case variant(BusValue)
}

extension BusValue {
    static let yes = BusValue.boolean(true)
    static let no = BusValue.boolean(false)

    static func byte(_ value: UInt8) -> BusValue { .number("y", Int64(value)) }

    static func strings(_ values: [String]) -> BusValue { .array(of: "s", values.map(BusValue.string)) }

    static func bytes(_ values: [UInt8]) -> BusValue { .array(of: "y", values.map(BusValue.byte)) }

    /// Makes a dictionary from names to values of any type (D-Bus type `a{sv}`).
    static func named(_ values: [String: BusValue]) -> BusValue {
        let pairs = values.map { (BusValue.string($0.key), BusValue.variant($0.value)) }
        return .dictionary(keys: "s", values: "v", Dictionary(uniqueKeysWithValues: pairs))
    }

    var signature: String {
        switch self {
        case .boolean: "b"
        case .number(let type, _): String(type)
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .array(let element, _): "a" + element
        case .dictionary(let keys, let values, _): "a{" + keys + values + "}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }
}

/// Conversions to Swift types. Each property is nil if the value has another type. For a variant, each property converts
/// the value inside.
extension BusValue {
    var plain: BusValue {
        if case .variant(let inner) = self { inner.plain } else { self }
    }

    /// The text of a string, an object path or a signature.
    var text: String? {
        switch plain {
        case .string(let text), .objectPath(let text), .signature(let text): text
        case .boolean, .number, .array, .dictionary, .structure, .variant: nil
        }
    }

    var truth: Bool? {
        if case .boolean(let value) = plain { value } else { nil }
    }

    /// The integer, of any width, if it fits into an `Int`.
    var number: Int? {
        guard case .number(let type, let bits) = plain, type != "d", type != "t" || bits >= 0 else { return nil }
        return Int(bits)
    }

    var elements: [BusValue]? {
        if case .array(_, let elements) = plain { elements } else { nil }
    }

    var texts: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    var octets: [UInt8]? {
        guard case .array("y", let elements) = plain else { return nil }
        return elements.compactMap { $0.number.map(UInt8.init(truncatingIfNeeded:)) }
    }

    var fields: [String: BusValue]? {
        guard case .dictionary(_, _, let pairs) = plain else { return nil }
        var fields: [String: BusValue] = [:]
        for (key, value) in pairs {
            guard let name = key.text else { return nil }
            fields[name] = value
        }
        return fields
    }
}
