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
}
