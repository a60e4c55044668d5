/// Turns CBOR back into host types through their `Codable` conformance.
///
/// Any well-formed encoding is read, not only the deterministic one; a map may have keys that the type does not know.
package struct MessageDecoder: Sendable {
    package init() {}

    /// The value that the one CBOR data item stands for.
    ///
    /// - Throws: `.coding` if the bytes are not one data item or the item is not such a value.
    package func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(WormholeError) -> Value {
        let value = try CBORValue(decoding: bytes)
        do {
            return try TreeDecoder(value: value, codingPath: []).decode(type)
        } catch {
            throw WormholeError(coding: error)
        }
    }
}

/// The decoder that a type's `init(from:)` meets, at one place of the tree.
private struct TreeDecoder: Decoder, SingleValueDecodingContainer {
    let value: CBORValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .map(let pairs) = value else { throw mismatch("a map") }
        return KeyedDecodingContainer(KeyedItems<Key>(pairs: pairs, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let items) = value else { throw mismatch("an array") }
        return UnkeyedItems(items: items, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value == .null }

    /// The value here as any type.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let scalar: Any
        switch type {
        case is String.Type: scalar = try text()
        case is Bool.Type: scalar = try truth()
        case let type as any FixedWidthInteger.Type: scalar = try integer(type)
        case let type as any BinaryFloatingPoint.Type: scalar = try float(type)
        case _:
            if type == [UInt8].self, case .bytes(let bytes) = value, let bytes = bytes as? Value { return bytes }
            return try type.init(from: self)
        }
        guard let scalar = scalar as? Value else { throw mismatch("\(type)") }
        return scalar
    }

    private func text() throws -> String {
        guard case .text(let text) = value else { throw mismatch("text") }
        return text
    }

    private func truth() throws -> Bool {
        guard case .boolean(let truth) = value else { throw mismatch("true or false") }
        return truth
    }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard case .integer(let number) = value, let number = Number(exactly: number) else {
            throw mismatch("an integer of \(Number.bitWidth) bits")
        }
        return number
    }

    private func float<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
        if case .float(let number) = value { return Number(number) }
        guard case .integer(let number) = value, let number = Number(exactly: number) else {
            throw mismatch("a floating-point number")
        }
        return number
    }

    private func mismatch(_ wanted: String) -> WormholeError {
        .coding(
            .typeMismatch(path: CodingFault.text(codingPath), "\(wanted) was asked for, \(value.kindName) is there"))
    }
}

private struct KeyedItems<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let pairs: [CBORKey: CBORValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] {
        pairs.keys.sorted { $0.precedes($1) }.compactMap { $0.codingKey(as: Key.self) }
    }

    func contains(_ key: Key) -> Bool { pairs[CBORKey(key)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(for: key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(for: key).decode(type)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try decoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(for: PlaceKey.superclass) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

    private func decoder(for key: some CodingKey) throws -> TreeDecoder {
        let path = codingPath + [key]
        guard let value = pairs[CBORKey(key)] else {
            throw WormholeError.coding(.missing(path: CodingFault.text(path)))
        }
        return TreeDecoder(value: value, codingPath: path)
    }
}

private struct UnkeyedItems: UnkeyedDecodingContainer {
    let items: [CBORValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(items: [CBORValue], codingPath: [any CodingKey]) {
        self.items = items
        self.codingPath = codingPath
    }

    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex >= items.count }

    mutating func decodeNil() throws -> Bool {
        guard try current().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try take { try $0.decode(type) } }

    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        try take { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take { $0 } }

    /// Goes on to the next item, unless this one cannot be read.
    private mutating func take<Value>(_ body: (TreeDecoder) throws -> Value) throws -> Value {
        let value = try body(current())
        currentIndex += 1
        return value
    }

    private func current() throws -> TreeDecoder {
        let path = codingPath + [PlaceKey(intValue: currentIndex)]
        guard !isAtEnd else { throw WormholeError.coding(.missing(path: CodingFault.text(path))) }
        return TreeDecoder(value: items[currentIndex], codingPath: path)
    }
}
