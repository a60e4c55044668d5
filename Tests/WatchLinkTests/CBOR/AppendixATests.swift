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

struct AppendixATests {
    @Test func `all 81 examples are there`() throws {
        #expect(try AppendixExample.all().count == 81)
    }

    @Test(arguments: try AppendixExample.all())
    func `the reader reads every example`(_ example: AppendixExample) throws {
        #expect(try CBORItem.read(example.encoded).diagnostic == example.diagnostic)
    }

    @Test(arguments: try AppendixExample.all())
    func `the writer writes every example in its deterministic form`(_ example: AppendixExample) throws {
        #expect(hex(try CBORItem.read(example.encoded).encoded()) == hex(example.deterministic))
    }

    @Test(arguments: try AppendixExample.all())
    func `skipping passes over exactly the example`(_ example: AppendixExample) throws {
        let followed = example.encoded + [0x18]
        var reader = CBORReader(followed.span)
        try reader.skip()
        let offset = reader.offset
        #expect(offset == example.encoded.count)
    }

    @Test(arguments: try AppendixExample.all())
    func `no beginning of an example is an item`(_ example: AppendixExample) throws {
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
