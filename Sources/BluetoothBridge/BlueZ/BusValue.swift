/// A value of a D-Bus message (D-Bus Specification 0.42, "Type System").
///
/// Descriptors are missing: no message of Tapline's has one.
indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case no
    case yes
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// `a` and the signature of its elements, which an empty array has too.
    case array(of: String, [BusValue])
    /// `a{` and the signatures of its keys and values `}`.
    case dictionary(keys: String, values: String, [BusValue: BusValue])
    case structure([BusValue])
    /// `v`: a value with its own type.
    case variant(BusValue)
}

extension BusValue {
    static func boolean(_ value: Bool) -> BusValue { value ? .yes : .no }

    static func strings(_ values: [String]) -> BusValue { .array(of: "s", values.map(BusValue.string)) }

    static func bytes(_ values: [UInt8]) -> BusValue { .array(of: "y", values.map(BusValue.byte)) }

    /// `a{sv}`: named values of any type.
    static func named(_ values: [String: BusValue]) -> BusValue {
        let pairs = values.map { (BusValue.string($0.key), BusValue.variant($0.value)) }
        return .dictionary(keys: "s", values: "v", Dictionary(uniqueKeysWithValues: pairs))
    }

    var signature: String {
        switch self {
        case .byte: "y"
        case .no, .yes: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
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

/// The value as a Swift type, or nil if it is of another type. A variant stands for its content.
extension BusValue {
    var plain: BusValue {
        if case .variant(let inner) = self { inner.plain } else { self }
    }

    /// The text of a string, an object path or a signature.
    var text: String? {
        switch plain {
        case .string(let text), .objectPath(let text), .signature(let text): text
        case .byte, .no, .yes, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .array, .dictionary,
            .structure, .variant:
            nil
        }
    }

    var truth: Bool? {
        switch plain {
        case .yes: true
        case .no: false
        case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .array, .dictionary, .structure, .variant:
            nil
        }
    }

    /// The number of an integer of any width that fits into an `Int`.
    var number: Int? {
        switch plain {
        case .byte(let number): Int(number)
        case .int16(let number): Int(number)
        case .uint16(let number): Int(number)
        case .int32(let number): Int(number)
        case .uint32(let number): Int(number)
        case .int64(let number): Int(exactly: number)
        case .uint64(let number): Int(exactly: number)
        case .no, .yes, .double, .string, .objectPath, .signature, .array, .dictionary, .structure, .variant: nil
        }
    }

    var elements: [BusValue]? {
        if case .array(_, let elements) = plain { elements } else { nil }
    }

    /// The texts of an array of strings or of object paths.
    var texts: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    var octets: [UInt8]? {
        guard case .array("y", let elements) = plain else { return nil }
        return elements.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
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
