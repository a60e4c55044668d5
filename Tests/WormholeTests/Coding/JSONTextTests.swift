import Testing

@testable import Wormhole

struct JSONTextTests {
    @Test(arguments: [
        "0", "-1", "23", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1.5", "true",
        "false",
        "null", #""""#, #""Ä\"\\ 😀""#, "[]", "{}", #"{"a":[1,{"b":null}],"c":"d"}"#, "[[[[1]]]]",
    ])
    func `A JSON value is the same after it was a message`(text: String) throws {
        #expect(try JSONText(payload: JSONText(text: text).payload).text == text)
    }

    @Test(
        arguments: [
            ("1.0", [0x01]), ("-1", [0x20]), ("24", [0x18, 0x18]), ("1.5", [0xF9, 0x3E, 0x00]),
        ] as [(String, [UInt8])])
    func `A number without a fraction is an integer, in the shortest encoding (RFC 8949, 6.2)`(
        text: String, payload: [UInt8]
    ) throws {
        #expect(try JSONText(text: text).payload == payload)
    }

    @Test(
        arguments: [
            ([0x43, 0xFB, 0xFF, 0x00], #""-_8A""#), ([0xF7], "null"), ([0xF9, 0x7E, 0x00], "null"),
            ([0xA1, 0x01, 0x02], #"{"1":2}"#), ([0xC0, 0x61, 0x61], #""a""#), ([0xF0], "null"),
        ] as [([UInt8], String)])
    func `What JSON has no word for becomes what RFC 8949, 6.1, says`(payload: [UInt8], text: String) throws {
        #expect(try JSONText(payload: payload).text == text)
    }

    @Test(arguments: ["", "{home}", "1 2", "'a'", "[1", "nul", "{\"a\":1", "\u{1B}[2J"])
    func `What is no JSON value is an error that shows its beginning`(text: String) {
        #expect(throws: WormholeError.self) { try JSONText(text: text) }
        do throws(WormholeError) { _ = try JSONText(text: text) } catch {
            #expect(error.description.hasPrefix("not JSON: "))
            #expect(!error.description.contains("\u{1B}"))
        }
    }

    @Test func `A key that is there twice is refused, whether or not the values are equal`() {
        for text in [#"{"a":1,"a":2}"#, #"{"a":1,"a":1}"#, #"[{"b":{"a":1,"\u0061":2}}]"#] {
            #expect(throws: WormholeError.coding(.repeatedKey("a"))) { try JSONText(text: text) }
        }
        #expect(CodingFault.repeatedKey("a").description == "the key 'a' occurs twice: remove one")
    }

    @Test func `A value that is nested deeper than a message may be is refused, however deep`() {
        for depth in [17, 40, 600, 100_000] {
            for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
                let text = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                #expect(throws: WormholeError.coding(.tooDeep(limit: 16))) { try JSONText(text: text) }
            }
        }
        let text = String(repeating: "[", count: 16) + #""[\"[{""# + String(repeating: "]", count: 16)
        #expect(throws: Never.self) { try JSONText(text: text) }
    }

    @Test(arguments: [
        "18446744073709551616", "-9223372036854775809", "123456789012345678901234567890123456789012345678901",
    ])
    func `An integer that does not fit into 64 bits is refused, and is not rounded`(number: String) throws {
        #expect(throws: WormholeError.coding(.tooWide(number))) { try JSONText(text: "[0,{\"a\":\(number)}]") }
        for other in ["\"\(number)\"", "\(number).0", "\(number)e0", "[\"\\\"\(number)\"]", "0.\(number.dropFirst())"] {
            #expect(throws: Never.self, "\(other)") { try JSONText(text: other) }
        }
    }

    @Test func `A value that is longer than a message may be is refused with the limit`() {
        let text = "\"\(String(repeating: "a", count: 70_000))\""
        #expect(throws: WormholeError.coding(.tooLarge(limit: 65_536))) { try JSONText(text: text) }
    }
}
