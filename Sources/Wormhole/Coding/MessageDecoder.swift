/// Turns CBOR back into host types through their `Codable` conformance.
///
/// Any well-formed encoding is read, not only the deterministic one; a map may have keys that the type does not know.
package struct MessageDecoder: Sendable {
    package init() {}

    /// The value that the one CBOR data item stands for.
    ///
    /// - Throws: `.coding`, where the bytes are not one data item or the item is not such a value.
    package func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(WormholeError) -> Value {
        let value = try CBORValue(decoding: bytes)
        do {
            return try TreeDecoder(value: value, codingPath: []).decode(type)
        } catch let error as WormholeError {
            throw error
        } catch let error as DecodingError {
            throw WormholeError.coding(CodingFault(error))
        } catch {
            throw WormholeError.coding(.refusedByType(path: CodingFault.text([]), "\(error)"))
        }
    }
}

/// The decoder that a type's `init(from:)` meets, at one place of the tree.
struct TreeDecoder: Decoder {
    let value: CBORValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .map(let pairs) = value.untagged else { throw mismatch("a map") }
        return KeyedDecodingContainer(KeyedItems<Key>(pairs: pairs, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let items) = value.untagged else { throw mismatch("an array") }
        return UnkeyedItems(items: items, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleItem(decoder: self)
    }

    /// The value here as any type.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == [UInt8].self, case .bytes(let bytes) = value.untagged, let bytes = bytes as? Value { return bytes }
        return try type.init(from: self)
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let number: Number? =
            switch value.untagged {
            case .unsigned(let number): Number(exactly: number)
            // -1 - n is ~n, which reaches one further than Int64 where the sign is kept apart.
            case .negative(let argument): Int64(exactly: argument).flatMap { Number(exactly: ~$0) }
            case .bytes, .text, .array, .map, .tag, .yes, .no, .null, .undefined, .simple, .float: nil
            }
        guard let number else { throw mismatch("an integer of \(Number.bitWidth) bits") }
        return number
    }

    func float<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
        switch value.untagged {
        case .float(let number): return Number(number)
        case .unsigned(let number):
            if let number = Number(exactly: number) { return number }
        case .negative(let argument):
            if let argument = Int64(exactly: argument), let number = Number(exactly: ~argument) { return number }
        case .bytes, .text, .array, .map, .tag, .yes, .no, .null, .undefined, .simple: break
        }
        throw mismatch("a floating-point number")
    }

    func text() throws -> String {
        guard case .text(let text) = value.untagged else { throw mismatch("text") }
        return text
    }

    func truth() throws -> Bool {
        switch value.untagged {
        case .yes: return true
        case .no: return false
        case .unsigned, .negative, .bytes, .text, .array, .map, .tag, .null, .undefined, .simple, .float:
            throw mismatch("true or false")
        }
    }

    private func mismatch(_ wanted: String) -> WormholeError {
        .coding(
            .typeMismatch(path: CodingFault.text(codingPath), "\(wanted) was asked for, \(value.kindName) is there"))
    }
}

extension CodingFault {
    /// What the standard library or a type's own code threw.
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .typeMismatch(path: CodingFault.text(context.codingPath), context.debugDescription)
        case .keyNotFound(let key, let context):
            self = .missing(path: CodingFault.text(context.codingPath + [key]))
        case .dataCorrupted(let context):
            self = .refusedByType(path: CodingFault.text(context.codingPath), context.debugDescription)
        @unknown default: self = .refusedByType(path: CodingFault.text([]), "\(error)")
        }
    }
}
