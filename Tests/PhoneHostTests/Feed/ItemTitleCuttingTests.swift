import Testing
import WatchLink

@testable import PhoneHost

@Suite struct ItemTitleCuttingTests {
    @Test(arguments: ["", "Milk", String(repeating: "a", count: 48), String(repeating: "ä", count: 24)])
    func `a title that fits is whole`(text: String) {
        let title = ItemTitle(cutting: text)
        #expect(title.text == text)
        #expect(title.completeness == .whole)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 49), String(repeating: "a", count: 48)),
        (String(repeating: "ä", count: 25), String(repeating: "ä", count: 24)),
        ("x" + String(repeating: "ä", count: 24), "x" + String(repeating: "ä", count: 23)),
        // A family is one character of 25 bytes.
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"),
        // A letter and its accent are one character of 3 bytes.
        (String(repeating: "e\u{301}", count: 17), String(repeating: "e\u{301}", count: 16)),
        (String(repeating: "🇸🇪", count: 7), String(repeating: "🇸🇪", count: 6)),
    ])
    func `a title is cut between characters and marked`(text: String, expected: String) {
        let title = ItemTitle(cutting: text)
        #expect(title.text == expected)
        #expect(title.completeness == .cut)
    }

    @Test func `a single character that is too long is cut between its scalars`() {
        let title = ItemTitle(cutting: "e" + String(repeating: "\u{301}", count: 100))
        #expect(title.text == "e" + String(repeating: "\u{301}", count: 23))
        #expect(title.completeness == .cut)
    }
}
