import Foundation
import HostSystem

/// A CBOR data item and its text in JSON, as RFC 8949, section 6, converts one into the other.
package struct JSONText: Hashable, Sendable {
    /// The text, in one line.
    package let text: String
    /// The item in its deterministic encoding.
    package let payload: [UInt8]

    /// - Parameter text: a JSON value. A number without a fraction becomes an integer, where it is one of 64 bits.
    /// - Throws: `.coding` where it is none, or too long or nested too deep for a message.
    package init(text: String) throws(WormholeError) {
        let value: CBORValue
        do {
            value = try JSONDecoder().decode(CBORValue.self, from: Data(text.utf8))
        } catch {
            throw .coding(.notJSON(SanitizedLine(text, limit: 40).text))
        }
        self.text = text
        payload = try value.encoded(largestSize: MessageEncoder().largestSize)
    }

    /// - Parameter payload: a data item. Bytes become base64url text, what JSON has no word for becomes null.
    /// - Throws: `.coding` where it is no data item.
    package init(payload: [UInt8]) throws(WormholeError) {
        let value = try CBORValue(decoding: payload)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            text = String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw .coding(.malformed("\(error)"))
        }
        self.payload = payload
    }
}

extension JSONText: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try CBORValue(decoding: payload).encode(to: encoder)
    }
}

extension CBORValue: Decodable {
    /// Reads a JSON value.
    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: TextKey.self) {
            var pairs: [CBORKey: CBORValue] = [:]
            for key in object.allKeys { pairs[.text(key.stringValue)] = try object.decode(CBORValue.self, forKey: key) }
            self = .map(pairs)
            return
        }
        if var array = try? decoder.unkeyedContainer() {
            var items: [CBORValue] = []
            while !array.isAtEnd { items.append(try array.decode(CBORValue.self)) }
            self = .array(items)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let truth = try? value.decode(Bool.self) {
            self = truth ? .yes : .no
        } else if let number = try? value.decode(Int64.self) {
            self = CBORValue(number)
        } else if let number = try? value.decode(UInt64.self) {
            self = .unsigned(number)
        } else if let number = try? value.decode(Double.self) {
            self = .float(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }
}

extension CBORValue: Encodable {
    /// Writes the value for JSON.
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let items):
            var container = encoder.unkeyedContainer()
            for item in items { try container.encode(item) }
        case .map(let pairs):
            var container = encoder.container(keyedBy: TextKey.self)
            for (key, value) in pairs { try container.encode(value, forKey: TextKey(stringValue: "\(key)")) }
        case .tag(_, let content): try content.encode(to: encoder)
        case .unsigned, .negative, .bytes, .text, .yes, .no, .null, .undefined, .simple, .float:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .unsigned(let number): try container.encode(number)
        case .negative(let argument):
            // Below -2^63 JSON readers keep no integer.
            if let argument = Int64(exactly: argument) {
                try container.encode(-1 - argument)
            } else {
                try container.encode(-1 - Double(argument))
            }
        case .bytes(let bytes): try container.encode(CBORValue.base64url(bytes))
        case .text(let text): try container.encode(text)
        case .yes: try container.encode(true)
        case .no: try container.encode(false)
        case .float(let number) where number.isFinite: try container.encode(number)
        case .null, .undefined, .simple, .float, .array, .map, .tag: try container.encodeNil()
        }
    }

    /// RFC 4648, section 5, without padding.
    private static func base64url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// The key of a JSON object.
private struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}
