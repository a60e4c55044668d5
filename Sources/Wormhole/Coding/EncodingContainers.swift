/// The encoder that a type's `encode(to:)` meets.
struct TreeEncoder: Encoder {
    let node: EncodingNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.beginMap()
        return KeyedEncodingContainer(KeyedTree<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.beginArray()
        return UnkeyedTree(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleTree(node: node, codingPath: codingPath)
    }
}

/// A key that is only a place in an array, or the place of a superclass.
struct PlaceKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    static var superclass: PlaceKey { PlaceKey(stringValue: "super") }
}

private struct KeyedTree<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.child(CBORKey(key)).set(.null) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try node.child(CBORKey(key)).encode(value, path: codingPath + [key])
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        encoder(for: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(for: PlaceKey.superclass) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: some CodingKey) -> TreeEncoder {
        TreeEncoder(node: node.child(CBORKey(key)), codingPath: codingPath + [key])
    }
}

private struct UnkeyedTree: UnkeyedEncodingContainer {
    let node: EncodingNode
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() { node.append().set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        let path = codingPath + [PlaceKey(intValue: count)]
        try node.append().encode(value, path: path)
    }

    func nestedContainer<Inner: CodingKey>(keyedBy keyType: Inner.Type) -> KeyedEncodingContainer<Inner> {
        encoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> TreeEncoder {
        let path = codingPath + [PlaceKey(intValue: count)]
        return TreeEncoder(node: node.append(), codingPath: path)
    }
}

private struct SingleTree: SingleValueEncodingContainer {
    let node: EncodingNode
    let codingPath: [any CodingKey]

    func encodeNil() { node.set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        try node.encode(value, path: codingPath)
    }
}
