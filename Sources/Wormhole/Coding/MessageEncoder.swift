/// Turns host types into CBOR (RFC 8949, deterministic encoding) through their `Codable` conformance.
///
/// Keys with an integer become integer keys, the others text. `[UInt8]` becomes a byte string. Arrays, maps and tags
/// may be nested sixteen deep.
package struct MessageEncoder: Sendable {
    /// The most bytes of an encoded value.
    package let largestSize: Int

    /// An encoder.
    ///
    /// - Parameter largestSize: the most bytes of an encoded value, 64 KiB unless said otherwise.
    package init(largestSize: Int = 65_536) {
        self.largestSize = largestSize
    }

    /// The value as one CBOR data item.
    ///
    /// - Throws: `.coding` if the value is too large or nested too deep, or its `encode(to:)` failed.
    package func encode<Value: Encodable>(_ value: Value) throws(WormholeError) -> [UInt8] {
        let tree = TreeEncoder(codingPath: [])
        do { try tree.encode(value) } catch { throw WormholeError(coding: error) }
        return try tree.value.encoded(largestSize: largestSize)
    }
}

/// A place in the tree that an encoder builds. `Encodable` types may fill several places at once, so they are objects.
///
/// A place is its own container: what is encoded into an array is appended to it, and anything else is set.
private final class TreeEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
    private enum Content {
        case value(CBORValue)
        case array([TreeEncoder])
        case map([CBORKey: TreeEncoder])
    }

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// A type that encodes nothing at all is an empty map, as with other encoders.
    private var content = Content.map([:])

    init(codingPath: [any CodingKey]) {
        self.codingPath = codingPath
    }

    /// The tree from here on.
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

    /// The place of a key of this map.
    func child(_ key: some CodingKey) -> TreeEncoder {
        let child = TreeEncoder(codingPath: codingPath + [key])
        if case .map(var places) = content {
            content = .map([:])
            places[CBORKey(key)] = child
            content = .map(places)
        }
        return child
    }

    /// The next place of this array; the place itself if it is none.
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

    /// Encodes any value here. Every level of a nested type comes through here, which bounds the recursion.
    func set<Value: Encodable>(_ value: Value) throws {
        // A value may be wrapped in a container without a key, so levels outnumber nested items, but not by much.
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
        // The type is asked for too: an empty array of anything can be cast to an array of bytes.
        case let bytes as [UInt8] where Value.self == [UInt8].self: content = .value(.bytes(bytes))
        case _: try value.encode(to: self)
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

extension WormholeError {
    /// What a container, or a type's own code, threw while a value was encoded or decoded.
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
    /// A path of keys as a person writes it.
    static func text(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "the top" }
        return path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
    }
}
