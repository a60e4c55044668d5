import Foundation
import Testing

@testable import PhoneHost

@Suite struct ListExportTests {
    private func list(_ items: [(String, ItemState)]) -> ListContents {
        ListContents(
            name: "Groceries",
            items: items.enumerated().map { index, item in
                StoredItem(
                    id: ItemIdentifier(rawValue: UInt32(index + 1)), rank: UInt32(index), title: item.0, state: item.1,
                    addedAt: .distantPast)
            })
    }

    @Test func `Markdown has the name and a box for every item`() {
        let text = ListExport.markdown.text(of: list([("Milk", .open), ("Rye", .checked(at: .distantPast))]))
        #expect(text == "# Groceries\n\n- [ ] Milk\n- [x] Rye\n")
    }

    @Test func `plain has what is still to be got`() {
        let text = ListExport.plain.text(of: list([("Milk", .open), ("Rye", .checked(at: .distantPast))]))
        #expect(text == "Milk\n")
    }

    @Test func `an empty list is an empty list`() {
        #expect(ListExport.markdown.text(of: list([])) == "# Groceries\n")
        #expect(ListExport.plain.text(of: list([])) == "")
    }

    @Test(arguments: [ListExport.markdown, .plain]) func `what is exported can be imported`(format: ListExport) throws {
        let titles = ["Milk", "- dash", "# heading", "- [x] box", "3. third", "---", "====", "[ ] box", "ä 👩‍👩‍👧 חלב", "*"]
        let text = format.text(of: list(titles.map { ($0, .open) }))
        let drafts = ListImport(Array(text.utf8)).drafts
        #expect(drafts.map(\.title.text) == titles)
        #expect(drafts.allSatisfy { $0.kind == .open })
    }
}
