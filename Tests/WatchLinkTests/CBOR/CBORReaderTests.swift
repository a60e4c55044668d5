import TestSupport
import Testing
import WatchLink

@testable import Wormhole

struct CBORReaderTests {
    private func skip(_ bytes: [UInt8], depth: Int = 8) throws(CBORError) {
        var reader = CBORReader(bytes.span, maximumDepth: depth)
        try reader.skip()
    }

    @Test(arguments: [
        "1c", "1d", "1e", "1f", "3c", "3f", "5c", "7d", "9e", "bc", "dc", "df", "fc", "fd", "fe", "ff", "f800",
        "f817", "f818",
        "f81f", "81ff", "a1ff00", "a101ff", "bf01ff", "5f00ff", "5f6100ff", "7f4100ff", "5f5f4100ffff", "c1ff",
    ])
    func `what is not well-formed is refused`(_ text: String) throws {
        let encoded = try #require(bytes(hex: text))
        #expect(throws: WormholeError.self) { try CBORValue(decoding: encoded) }
        #expect(throws: CBORError.malformed) { try skip(encoded) }
    }

    @Test(arguments: [
        "9b7fffffffffffffff", "9bffffffffffffffff", "9affffffff", "bb8000000000000000", "baffffffff", "a2000000",
        "5bffffffffffffffff", "7affffffff", "5a7fffffff00", "82", "8200", "a1", "a100",
    ])
    func `a count larger than the bytes left is truncation, at once`(_ text: String) throws {
        let encoded = try #require(bytes(hex: text))
        #expect(throws: WormholeError.coding(.malformed("truncated"))) { try CBORValue(decoding: encoded) }
        #expect(throws: CBORError.truncated) { try skip(encoded) }
    }

    @Test(arguments: ["81", "9f", "c1", "a100", "bf00"])
    func `nesting is followed to the depth asked for and no deeper`(_ opening: String) throws {
        let open = try #require(bytes(hex: opening))
        let close: [UInt8] = open[0] & 0x1F == 0x1F ? [0xFF] : []
        for limit in 1...16 {
            func nested(_ levels: Int) -> [UInt8] {
                Array((0..<levels).map { _ in open }.joined()) + [0x00] + (0..<levels).flatMap { _ in close }
            }
            #expect(throws: Never.self) { try skip(nested(limit), depth: limit) }
            #expect(throws: CBORError.tooDeep) { try skip(nested(limit + 1), depth: limit) }
            #expect(throws: CBORError.tooDeep) { try skip(nested(2_000), depth: limit) }
        }
        #expect(throws: CBORError.tooDeep) { try skip([UInt8](repeating: open[0], count: 100_000), depth: 99) }
    }

    @Test func `every form of an integer is read, but only if it fits`() throws {
        let long = try #require(bytes(hex: "1b0000000000000005 1800 1b0000000100000000 3b8000000000000000"))
        var reader = CBORReader(long.span)
        let words = [try reader.word(), try reader.word()]
        #expect(words == [5, 0])
        var refusal: CBORError?
        var copy = reader
        do { _ = try copy.word() } catch { refusal = error }
        #expect(refusal == .tooLong)
        let wide = try reader.unsigned()
        #expect(wide == 4_294_967_296)
        refusal = nil
        do { _ = try reader.integer() } catch { refusal = error }
        #expect(refusal == .tooLong)
    }

    @Test func `another kind than asked for is an error and no trap`() throws {
        let items = try AppendixExample.all().map(\.encoded)
        for item in items {
            var kinds = 0
            func attempt(_ body: (inout CBORReader) throws(CBORError) -> Void) throws {
                var reader = CBORReader(item.span)
                do {
                    try body(&reader)
                    kinds += 1
                } catch {
                    #expect(error == .unexpectedKind || error == .tooLong)
                }
            }
            try attempt { (reader) throws(CBORError) in _ = try reader.unsigned() }
            try attempt { (reader) throws(CBORError) in _ = try reader.negative() }
            try attempt { (reader) throws(CBORError) in _ = try reader.bytes() }
            try attempt { (reader) throws(CBORError) in _ = try reader.text() }
            try attempt { (reader) throws(CBORError) in _ = try reader.array() }
            try attempt { (reader) throws(CBORError) in _ = try reader.map() }
            try attempt { (reader) throws(CBORError) in _ = try reader.boolean() }
            try attempt { (reader) throws(CBORError) in try reader.null() }
            try attempt { (reader) throws(CBORError) in _ = try reader.float() }
            try attempt { (reader) throws(CBORError) in _ = try reader.tag() }
            try attempt { (reader) throws(CBORError) in try reader.beginIndefinite() }
            let kind = try CBORReader(item.span).peekKind()
            // These two can only be skipped.
            let expected = kind == .undefined || kind == .simple ? 0 : 1
            #expect(kinds == expected, "\(hex(item)) is of exactly one kind")
        }
    }

    @Test func `UTF-8 is accepted and refused as the standard library does`() throws {
        for first in UInt8.min...UInt8.max {
            for second in stride(from: UInt8.min, through: UInt8.max, by: TestLevel.rounds(5, nightly: 1)) {
                for tail: [UInt8] in [[], [0x80], [0xBF], [0x41], [0x9F, 0x80]] {
                    let content = [first, second] + tail
                    let encoded = [0x60 + UInt8(content.count)] + content
                    var reader = CBORReader(encoded.span)
                    let isValid = String(validating: content, as: UTF8.self) != nil
                    let count = try? reader.text().count
                    #expect(count == (isValid ? content.count : nil), "\(hex(content))")
                }
            }
        }
    }

    @Test func `a map of small keys is read in any order, each key once, unknown ones passed over`() throws {
        func keys(_ text: String) throws -> [UInt32] {
            let encoded = try #require(bytes(hex: text))
            var reader = CBORReader(encoded.span)
            var fields = try CBORFields(&reader)
            var seen: [UInt32] = []
            while let key = try fields.next(&reader) {
                seen.append(key)
                try reader.skip()
            }
            try fields.require(1)
            return seen
        }
        #expect(try keys("a3 1818 00 03 820102 00 f6") == [24, 3, 0])
        #expect(try keys("a6 20 00 61 61 82 01 02 00 00 1820 05 1b0000000100000001 06 01 07 f5 08") == [0, 1])
        #expect(throws: CBORError.malformed) { try keys("a2 00 01 00 02") }
        #expect(throws: CBORError.malformed) { try keys("a1 01 01") }
        #expect(throws: CBORError.truncated) { try keys("a1 00") }
        #expect(throws: CBORError.unexpectedKind) { try keys("81 00") }
    }
}

struct AppendixExample: CustomTestStringConvertible {
    let encoded: [UInt8]
    let diagnostic: String
    let deterministic: [UInt8]

    var testDescription: String { diagnostic }

    static func all() throws -> [AppendixExample] {
        let text = try Repository.text("Tests/WatchLinkTests/Vectors/rfc8949-appendix-a.tsv")
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let columns = line.split(separator: "\t")
            let encoded = try #require(bytes(hex: columns[0]))
            let deterministic = columns.count > 2 ? try #require(bytes(hex: columns[2])) : encoded
            return AppendixExample(encoded: encoded, diagnostic: String(columns[1]), deterministic: deterministic)
        }
    }
}

struct AppendixATests {
    @Test(arguments: try AppendixExample.all())
    func `every example is skipped exactly, no beginning of it is an item, and it is written deterministically`(
        _ example: AppendixExample
    ) throws {
        let followed = example.encoded + [0x18]
        var reader = CBORReader(followed.span)
        try reader.skip()
        let offset = reader.offset
        #expect(offset == example.encoded.count)
        for length in 0..<example.encoded.count {
            let cut = Array(example.encoded.prefix(length))
            #expect(throws: WormholeError.coding(.malformed("truncated")), "\(length) bytes") {
                try CBORValue(decoding: cut)
            }
            #expect(throws: CBORError.truncated, "\(length) bytes") {
                var reader = CBORReader(cut.span)
                try reader.skip()
            }
        }
        // Messages have no tags, which are skipped. A simple value except false, true and null is read as null.
        let kind = example.encoded[0]
        if kind >> 5 == 6 || kind >> 5 == 7 && (kind & 31 < 20 || kind == 0xF7 || kind == 0xF8) { return }
        #expect(hex(try CBORValue(decoding: example.encoded).encoded(largestSize: 256)) == hex(example.deterministic))
    }

    @Test func `all 81 examples are there`() throws {
        #expect(try AppendixExample.all().count == 81)
    }
}
