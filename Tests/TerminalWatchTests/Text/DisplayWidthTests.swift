import Testing

@testable import TerminalWatch

struct DisplayWidthTests {
    @Test(arguments: [("Milk", 4), ("Žemlovka", 8), ("牛乳", 4), ("🥛", 2), ("", 0), ("e\u{301}", 1)])
    func `a text takes the columns that a terminal gives it`(text: String, columns: Int) {
        #expect(TextPieces(text).columns == columns)
    }

    @Test(arguments: ["\u{1B}[2J", "\u{7}", "a\r\nb", "\u{202E}abc", "\u{9B}31m", "\u{200B}", "\u{FFFE}"])
    func `nothing that could upset a terminal is left in a text`(text: String) {
        let scalars = TextPieces(text).pieces.flatMap(\.text.unicodeScalars)
        #expect(scalars.allSatisfy { ScalarWidth($0) != .unprintable })
    }

    @Test func `a text that does not fit ends in an ellipsis`() {
        #expect(TextPieces("Sourdough").fitted(to: 5).map(\.text) == ["S", "o", "u", "r", "…"])
        #expect(TextPieces("Milk").fitted(to: 4).map(\.text) == ["M", "i", "l", "k"])
        #expect(TextPieces("Milk").fitted(to: 0).isEmpty)
    }

    @Test func `a wide character is not cut in half`() {
        let fitted = TextPieces("牛乳店").fitted(to: 4)
        #expect(fitted.map(\.text) == ["牛", "…"])
        #expect(fitted.reduce(0) { $0 + $1.columns } <= 4)
    }

    @Test func `marks without end do not pile up on one character`() {
        let text = "e" + String(repeating: "\u{301}", count: 1_000)
        #expect(TextPieces(text).pieces.allSatisfy { $0.text.unicodeScalars.count <= 4 })
    }
}
