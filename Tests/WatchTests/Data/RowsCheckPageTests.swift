import Foundation
import Testing
import WatchLink

@testable import Watch

/// The examples of the rows check in PROTOCOL.md are what a watch computes.
@Suite struct RowsCheckPageTests {
    private let memory = PartMemory()

    /// The cells of the rows of the page's table.
    private static func examples() throws -> [(rows: [ListChange], more: UInt32, check: UInt32)] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/WatchLink/PROTOCOL.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| Rows check |\n|---|---|---|\n").dropFirst().first)
        return try table.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }.map {
            let cells = $0.split(separator: "|").map { $0.trimmingCharacters(in: [" ", "`"]) }
            let rows = try cells[0].components(separatedBy: "; ").filter { $0 != "none" }.map { row in
                let parts = row.components(separatedBy: ", ")
                return ListChange.put(
                    id: try #require(UInt32(parts[0])), rank: try #require(UInt32(parts[1])),
                    title: ItemTitle(utf8: Array(parts[3].utf8).span, completeness: parts[2] == "1" ? .cut : .whole))
            }
            return (rows, try #require(UInt32(cells[1])), try #require(UInt32(cells[2], radix: 16)))
        }
    }

    @Test func `the examples are what a watch computes`() throws {
        let examples = try RowsCheckPageTests.examples()
        #expect(examples.count == 2)
        for example in examples {
            var arena = memory.arena
            var data = WatchData(arena: &arena)
            let payload = try Payload.list([.clear] + example.rows, more: example.more)
            _ = try data.apply(.list, payload.span, holding: nil)
            #expect(data.rowsCheck == example.check)
        }
    }
}
