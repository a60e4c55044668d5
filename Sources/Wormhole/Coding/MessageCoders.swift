/// Encodes `Codable` values as CBOR (RFC 8949, deterministic encoding). Coding keys with an integer become integer keys, and
/// all others become text. `[UInt8]` becomes a byte string.
package struct MessageEncoder: Sendable {
    package let largestSize: Int

    package init(largestSize: Int = 65_536) {
        self.largestSize = largestSize
    }

    /// - Throws: `.coding` if the value is too large or nested too deep, or if its `encode(to:)` failed.
    package func encode<Value: Encodable>(_ value: Value) throws(WormholeError) -> [UInt8] {
        let tree = TreeEncoder(codingPath: [])
        do { try tree.encode(value) } catch { throw WormholeError(coding: error) }
        return try tree.value.encoded(largestSize: largestSize)
    }
}

/// A node in the tree of values that `MessageEncoder` builds. It is a class, because an `Encodable` type may fill several nodes
/// alternately. If this node is an array, `encode` appends a child. Otherwise `encode` sets the value of this node.
private final class TreeEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
    private enum Content {
        case value(CBORValue)
        case array([TreeEncoder])
        case map([CBORKey: TreeEncoder])
    }

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// Initially an empty map. A type that encodes nothing becomes this empty map.
    private var content = Content.map([:])

    init(codingPath: [any CodingKey]) {
        self.codingPath = codingPath
    }

    var value: CBORValue {
        switch content {
        case .value(let value): value
        case .array(let places): .array(places.map(\.value))
        case .map(let places): .map(places.mapValues(\.value))
        }
    }

    var count: Int {
        switch content {
        case .array(let places): places.count
        case .value, .map: 0
        }
    }

    func child(_ key: some CodingKey) -> TreeEncoder {
        let child = TreeEncoder(codingPath: codingPath + [key])
        if case .map(var places) = content {
            content = .map([:])
            places[CBORKey(key)] = child
            content = .map(places)
        }
        return child
    }

    /// If this node is an array, appends a new node and returns the new one. Otherwise returns this node.
    private func next() -> TreeEncoder {
        guard case .array(var places) = content else { return self }
        let next = TreeEncoder(codingPath: codingPath + [PlaceKey(intValue: places.count)])
        content = .array([])
        places.append(next)
        content = .array(places)
        return next
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        switch content {
        case .map: break
        case .value, .array: content = .map([:])
        }
        return KeyedEncodingContainer(KeyedTree<Key>(place: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch content {
        case .array: break
        case .value, .map: content = .array([])
        }
        return self
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        next().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

    func superEncoder() -> any Encoder { next() }

    func encodeNil() { next().content = .value(.null) }

    func encode<Value: Encodable>(_ value: Value) throws { try next().set(value) }

    /// Encodes `value` as the content of this node. To limit the recursion, throws if the nesting is deeper than twice the
    /// maximum.
    func set<Value: Encodable>(_ value: Value) throws {
        // This limit is loose. The exact limit is checked when the item is written.
        guard codingPath.count <= 2 * CBORValue.deepestNesting else {
            throw WormholeError.coding(.tooDeep(limit: CBORValue.deepestNesting))
        }
        switch value {
        case let text as String: content = .value(.text(text))
        case let truth as Bool: content = .value(.boolean(truth))
        case let number as Double: content = .value(.float(number))
        case let number as Float: content = .value(.float(Double(number)))
        case let number as any FixedWidthInteger:
            guard let number = Int128(exactly: number), CBORValue.integers.contains(number) else {
                let path = CodingFault.text(codingPath)
                throw WormholeError.coding(.refusedByType(path: path, "an integer of more than 64 bits"))
            }
            content = .value(.integer(number))
        // The cast alone would also match an empty array of any type.
        case let bytes as [UInt8] where Value.self == [UInt8].self: content = .value(.bytes(bytes))
        case _: try value.encode(to: self)  // Value is any type.
        }
    }
}

private struct KeyedTree<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: TreeEncoder
    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil(forKey key: Key) { place.child(key).encodeNil() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try place.child(key).set(value) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        place.child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        place.child(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { place.child(PlaceKey.superclass) }

    func superEncoder(forKey key: Key) -> any Encoder { place.child(key) }
}

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

extension WormholeError {
    init(coding error: any Error) {
        switch error {
        case let error as WormholeError: self = error
        case EncodingError.invalidValue(_, let context):
            self = .coding(.refusedByType(path: CodingFault.text(context.codingPath), context.debugDescription))
        case DecodingError.dataCorrupted(let context):
            self = .coding(.refusedByType(path: CodingFault.text(context.codingPath), context.debugDescription))
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            self = .coding(.typeMismatch(path: CodingFault.text(context.codingPath), context.debugDescription))
        case DecodingError.keyNotFound(let key, let context):
            self = .coding(.missing(path: CodingFault.text(context.codingPath + [key])))
        case _: self = .coding(.refusedByType(path: CodingFault.text([]), "\(error)"))
        }
    }
}

extension CodingFault {
    static func text(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "the top" }
        return path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
    }
}

/// Decodes CBOR into `Codable` values. It accepts any well-formed encoding, and ignores map keys that the type does not have.
package struct MessageDecoder: Sendable {
    package init() {}

    /// - Throws: `.coding` if the bytes are not one data item, or if the item does not fit the type.
    package func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(WormholeError) -> Value {
        let value = try CBORValue(decoding: bytes)
        do {
            return try TreeDecoder(value: value, codingPath: []).decode(type)
        } catch {
            throw WormholeError(coding: error)
        }
    }
}

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

    /// Reads the current item with `body`. If that succeeds, moves to the next item.
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
