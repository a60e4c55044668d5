import Foundation
import Testing

@testable import PhoneHost

/// Tests that the code reads pasted lines as Sources/LINES.md describes.
@Suite struct PastedPageTests {
    /// A fenced code block of LINES.md. Its name is the word after the opening fence.
    private struct Block {
        let name: String
        let lines: [String]

        var examples: [(input: String, result: String)] {
            get throws {
                try lines.map { line in
                    let parts = line.split(separator: " => ").map(String.init)
                    try #require(parts.count == 2, "\(line)")
                    return (parts[0], parts[1])
                }
            }
        }
    }

    private static func blocks(_ names: String...) throws -> [Block] {
        let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: top.appending(path: "Sources/LINES.md"), encoding: .utf8)
        let lines = page.components(separatedBy: "\n")
        let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
        return stride(from: 0, to: fences.count - 1, by: 2).map { fence in
            Block(
                name: String(lines[fences[fence]].dropFirst(3)),
                lines: Array(lines[(fences[fence] + 1)..<fences[fence + 1]]))
        }.filter { names.contains($0.name) }
    }

    private func text(_ draft: ItemDraft?) -> String? {
        draft.map { draft in
            let note = draft.detail.note.map { "; \(draft.detail.amount ?? "–"); \($0)" }
            let amount = draft.detail.amount.map { "; \($0)" }
            return (draft.kind == .checked ? "x " : "") + draft.title.text + (note ?? amount ?? "")
        }
    }

    @Test func `each line of the page gives its item`() throws {
        var count = 0
        for block in try Self.blocks("lines", "ingredients") {
            for example in try block.examples {
                let place = block.name == "lines" ? PastedItem.Place.list : .ingredients
                let item = text(ListImport.draft(example.input[...], in: place))
                #expect(item == example.result, "\(example.input)")
                count += 1
            }
        }
        #expect(count >= 50)
    }

    @Test func `each text of the page gives its items`() throws {
        let blocks = try Self.blocks("text", "items")
        #expect(!blocks.isEmpty && blocks.count.isMultiple(of: 2))
        for index in stride(from: 0, to: blocks.count - 1, by: 2) {
            #expect(blocks[index].name == "text" && blocks[index + 1].name == "items")
            let list = ListImport(blocks[index].lines.joined(separator: "\n").utf8)
            #expect(list.drafts.map(text) == blocks[index + 1].lines, "\(blocks[index].lines)")
        }
    }

    @Test func `each sum of the page is what its amounts give`() throws {
        let examples = try Self.blocks("sums").flatMap { try $0.examples }
        #expect(!examples.isEmpty)
        for example in examples {
            let sum = example.input.split(separator: ", ").reduce(ItemDetail.none) { detail, amount in
                detail.adding(ItemDetail(amount: String(amount)))
            }
            #expect(sum.amount == example.result, "\(example.input)")
        }
    }

    @Test func `the page has the table of units, and each spelling is one of a single unit`() throws {
        let page = try Self.blocks("units").map { $0.lines.joined(separator: "\n") }
        #expect(page == [AmountUnit.table])
        let rows = AmountUnit.table.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace) }
        for (place, row) in rows.enumerated() {
            #expect(row.count > 1)
            for spelling in row {
                #expect(AmountUnit.place(of: spelling.replacing("_", with: " ").description) == place, "\(spelling)")
            }
        }
    }
}
