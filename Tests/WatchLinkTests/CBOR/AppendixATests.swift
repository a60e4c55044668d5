import Testing
import WatchLink

/// One line of the examples.
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

@Suite("RFC 8949 appendix A")
struct AppendixATests {
    @Test("all 81 examples are there")
    func count() throws {
        #expect(try AppendixExample.all().count == 81)
    }

    @Test("the reader reads every example", arguments: try AppendixExample.all())
    func reads(_ example: AppendixExample) throws {
        #expect(try CBORItem.read(example.encoded).diagnostic == example.diagnostic)
    }

    @Test("the writer writes every example in its deterministic form", arguments: try AppendixExample.all())
    func writes(_ example: AppendixExample) throws {
        #expect(hex(try CBORItem.read(example.encoded).encoded()) == hex(example.deterministic))
    }

    @Test("skipping passes over exactly the example", arguments: try AppendixExample.all())
    func skips(_ example: AppendixExample) throws {
        let followed = example.encoded + [0x18]
        var reader = CBORReader(followed.span)
        try reader.skip()
        let offset = reader.offset
        #expect(offset == example.encoded.count)
    }

    @Test("no beginning of an example is an item", arguments: try AppendixExample.all())
    func truncations(_ example: AppendixExample) throws {
        for length in 0..<example.encoded.count {
            let cut = Array(example.encoded.prefix(length))
            #expect(throws: CBORError.truncated, "\(length) bytes") { try CBORItem.read(cut) }
            #expect(throws: CBORError.truncated, "\(length) bytes") {
                var reader = CBORReader(cut.span)
                try reader.skip()
            }
        }
    }
}
