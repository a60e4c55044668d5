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
    /// - Throws: `.coding`, where the value is too large or nested too deep, or its `encode(to:)` failed.
    package func encode<Value: Encodable>(_ value: Value) throws(WormholeError) -> [UInt8] {
        let node = EncodingNode()
        do {
            try node.encode(value, path: [])
        } catch let error as WormholeError {
            throw error
        } catch let error as EncodingError {
            throw WormholeError.coding(CodingFault(error))
        } catch {
            throw WormholeError.coding(.refusedByType(path: CodingFault.text([]), "\(error)"))
        }
        return try node.value.encoded(largestSize: largestSize)
    }
}

/// A place in the tree that an encoder builds: `Encodable` types may fill several at once, so they are objects.
final class EncodingNode {
    private enum Content {
        case empty
        case value(CBORValue)
        case array([EncodingNode])
        case map([CBORKey: EncodingNode])
    }

    private var content = Content.empty

    /// The tree from here on. A type that encodes nothing at all is an empty map, as with other encoders.
    var value: CBORValue {
        switch content {
        case .empty: .map([:])
        case .value(let value): value
        case .array(let nodes): .array(nodes.map(\.value))
        case .map(let nodes): .map(nodes.mapValues(\.value))
        }
    }

    var count: Int {
        switch content {
        case .array(let nodes): nodes.count
        case .empty, .value, .map: 0
        }
    }

    func set(_ value: CBORValue) { content = .value(value) }

    func beginArray() {
        switch content {
        case .array: break
        case .empty, .value, .map: content = .array([])
        }
    }

    func beginMap() {
        switch content {
        case .map: break
        case .empty, .value, .array: content = .map([:])
        }
    }

    func append() -> EncodingNode {
        let node = EncodingNode()
        switch content {
        case .array(let nodes): content = .array(nodes + [node])
        case .empty, .value, .map: content = .array([node])
        }
        return node
    }

    func child(_ key: CBORKey) -> EncodingNode {
        let node = EncodingNode()
        switch content {
        case .map(var nodes):
            nodes[key] = node
            content = .map(nodes)
        case .empty, .value, .array: content = .map([key: node])
        }
        return node
    }

    /// Encodes any value here. Every level of a nested type comes through here, which bounds the recursion.
    func encode<Value: Encodable>(_ value: Value, path: [any CodingKey]) throws {
        // A value may be wrapped in a container without a key, so levels outnumber nested items, but not by much.
        guard path.count <= 2 * CBORValue.deepestNesting else {
            throw WormholeError.coding(.tooDeep(limit: CBORValue.deepestNesting))
        }
        // The type is asked for first: an empty array of anything can be cast to an array of bytes.
        if Value.self == [UInt8].self, let bytes = value as? [UInt8] {
            set(.bytes(bytes))
        } else if let scalar = CBORValue(scalar: value) {
            set(scalar)
        } else {
            try value.encode(to: TreeEncoder(node: self, codingPath: path))
        }
    }
}

extension CBORValue {
    init?(scalar: Any) {
        switch scalar {
        case let value as String: self = .text(value)
        case let value as Bool: self = value ? .yes : .no
        case let value as Double: self = .float(value)
        case let value as Float: self = .float(Double(value))
        case let value as any FixedWidthInteger:
            if let number = UInt64(exactly: value) {
                self = .unsigned(number)
            } else if let number = Int64(exactly: value) {
                self = CBORValue(number)
            } else {
                return nil
            }
        default: return nil
        }
    }
}

extension CodingFault {
    /// What an encoder's containers or a type's own code threw.
    init(_ error: EncodingError) {
        switch error {
        case .invalidValue(_, let context):
            self = .refusedByType(path: CodingFault.text(context.codingPath), context.debugDescription)
        @unknown default: self = .refusedByType(path: CodingFault.text([]), "\(error)")
        }
    }

    /// A path of keys as a person writes it.
    static func text(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "the top" }
        return path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
    }
}
