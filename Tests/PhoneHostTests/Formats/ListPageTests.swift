import Foundation
import Testing

@testable import PhoneHost

@Suite struct ListPageTests {
    private func page(_ items: [StoredItem]) -> String { ListPage.html(of: ListContents(name: "A & B", items: items)) }

    private func item(_ title: String, _ state: ItemState = .open, _ detail: ItemDetail = .none) -> StoredItem {
        StoredItem(
            id: ItemIdentifier(rawValue: 1), rank: 0, title: title, state: state, addedAt: .distantPast, detail: detail)
    }

    @Test func `the page has what is still to be got, with amounts and notes`() {
        let page = page([
            item("Milk", .open, ItemDetail(amount: "2 l", note: "oat")), item("Rye", .checked(at: .distantPast)),
        ])
        #expect(page.contains("<li>Milk <span class=\"amount\">2 l</span> <span class=\"note\">oat</span></li>"))
        #expect(page.contains("1 left") && !page.contains("Rye"))
    }

    @Test func `no text becomes markup`() {
        let evil = "<script>&\"\u{301}"
        let page = page([item(evil, .open, ItemDetail(amount: evil, note: evil))])
        #expect(page.contains("<title>A &amp; B</title>"))
        #expect(!page.contains("<script") && page.contains("&lt;script&gt;&amp;&quot;\u{301}"))
    }

    @Test func `a list with nothing left says so`() {
        #expect(page([]).contains("<p>Nothing left.</p>"))
    }
}
