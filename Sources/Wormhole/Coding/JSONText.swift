import Foundation
import HostSystem

/// A CBOR data item and its JSON text, converted as in RFC 8949, section 6.
package struct JSONText: Hashable, Sendable {
    package let text: String
    package let payload: [UInt8]

    /// - Parameter text: a JSON value. A number without a fraction becomes an integer if it fits into 64 bits.
    /// - Throws: `.coding` if the text is not JSON, repeats a key in an object, has an integer of more than 64 bits, or is too long
    ///   or too deep for a message.
    package init(text: String) throws(WormholeError) {
        try JSONText.checkLimits(of: text)
        let value: CBORValue
        do {
            value = try JSONDecoder().decode(CBORValue.self, from: Data(text.utf8))
        } catch {
            throw .coding(.notJSON(SanitizedLine(text, limit: 40).text))
        }
        if let key = RepeatedKey.first(in: text) { throw .coding(.repeatedKey(key)) }
        self.text = text
        payload = try value.encoded(largestSize: MessageEncoder().largestSize)
    }

    /// Throws if an integer has more than 64 bits, or if the text is nested too deep. `JSONDecoder` would round the integer.
    private static func checkLimits(of text: String) throws(WormholeError) {
        let text = Array(text.unicodeScalars)
        var (depth, index) = (0, 0)
        while index < text.count {
            let start = index
            index += 1
            switch text[start] {
            case "\"":
                while index < text.count, text[index] != "\"" { index += text[index] == "\\" ? 2 : 1 }
                index += 1
            case "[", "{":
                depth += 1
                if depth > CBORValue.deepestNesting { throw .coding(.tooDeep(limit: CBORValue.deepestNesting)) }
            case "]", "}": depth -= 1
            case "-", "0"..."9":
                while index < text.count, "0"..."9" ~= text[index] { index += 1 }
                let number = String(String.UnicodeScalarView(text[start..<index]))
                // A fraction or an exponent makes it a floating-point number.
                if index < text.count, ".eE".unicodeScalars.contains(text[index]) {
                    while index < text.count, ".eE+-0123456789".unicodeScalars.contains(text[index]) { index += 1 }
                } else if number != "-", Int64(number) == nil, UInt64(number) == nil {
                    throw .coding(.tooWide(number))
                }
            case _: break
            }
        }
    }

    /// - Parameter payload: one CBOR data item. In `text`, byte strings become base64url; values that JSON lacks become null.
    /// - Throws: `.coding` if the bytes are not one data item.
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

extension CBORValue: Codable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let truth = try? value.decode(Bool.self) {
            self = .boolean(truth)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(Int128(number))
        } else if let number = try? value.decode(UInt64.self) {
            self = .integer(Int128(number))
        } else if let number = try? value.decode(Double.self) {
            self = .float(number)
        } else if let items = try? value.decode([CBORValue].self) {
            self = .array(items)
        } else {
            let pairs = try value.decode([String: CBORValue].self)
            self = .map(Dictionary(uniqueKeysWithValues: pairs.map { (.text($0.key), $0.value) }))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let number):
            // JSON readers have no integers below -2^63, so those become floating-point numbers.
            if let number = UInt64(exactly: number) {
                try container.encode(number)
            } else if let number = Int64(exactly: number) {
                try container.encode(number)
            } else {
                try container.encode(Double(number))
            }
        case .bytes(let bytes): try container.encode(CBORValue.base64url(bytes))
        case .text(let text): try container.encode(text)
        case .array(let items): try container.encode(items)
        case .map(let pairs):
            try container.encode(Dictionary(pairs.map { ("\($0.key)", $0.value) }) { first, _ in first })
        case .boolean(let truth): try container.encode(truth)
        case .float(let number) where number.isFinite: try container.encode(number)
        case .null, .float: try container.encodeNil()
        }
    }

    /// Encodes bytes as base64url (RFC 4648, section 5) without padding.
    private static func base64url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
