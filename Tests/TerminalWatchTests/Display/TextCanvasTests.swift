import Testing

@testable import TerminalWatch

struct TextCanvasTests {
    @Test func `writing stops at the edge and says so`() {
        var canvas = TextCanvas(size: CellSize(columns: 6, rows: 2))
        canvas.write("Groceries", at: CellPoint(column: 1, row: 0))
        #expect(canvas.text(row: 0) == " Groc…")
        #expect(canvas.text(row: 1).isEmpty)
    }

    @Test func `drawing outside changes nothing`() {
        let empty = TextCanvas(size: CellSize(columns: 3, rows: 1))
        var canvas = empty
        canvas.write("abc", at: CellPoint(column: 0, row: 1))
        canvas.write("abc", at: CellPoint(column: 3, row: 0))
        canvas.put("x", at: CellPoint(column: -1, row: 0), style: .plain)
        canvas.fill(CellRect(column: 4, row: -2, columns: 5, rows: 2), with: "x", style: .plain)
        #expect(canvas == empty)
    }

    @Test func `a wide character takes two cells`() {
        var canvas = TextCanvas(size: CellSize(columns: 5, rows: 1))
        canvas.write("牛b", at: CellPoint(column: 0, row: 0))
        #expect(canvas[1, 0].content == .continuation)
        #expect(canvas[2, 0].content == .text("b"))
    }

    @Test(arguments: [CellSize(columns: 0, rows: 0), CellSize(columns: -3, rows: 4)])
    func `a picture without cells is no trouble`(size: CellSize) {
        var canvas = TextCanvas(size: size)
        canvas.write("abc", at: CellPoint(column: 0, row: 0))
        #expect(CanvasDifference.runs(from: nil, to: canvas).isEmpty)
    }
}

struct CanvasDifferenceTests {
    private func canvas(_ text: String, columns: Int = 10) -> TextCanvas {
        var canvas = TextCanvas(size: CellSize(columns: columns, rows: 1))
        canvas.write(text, at: CellPoint(column: 0, row: 0))
        return canvas
    }

    @Test func `the same picture takes nothing to show`() {
        #expect(CanvasDifference.runs(from: canvas("Milk"), to: canvas("Milk")).isEmpty)
    }

    @Test func `only what differs is sent`() {
        let runs = CanvasDifference.runs(from: canvas("Milk 12 x"), to: canvas("Milk 34 x"))
        #expect(runs == [CellRun(origin: CellPoint(column: 5, row: 0), style: .plain, text: "34")])
    }

    @Test func `the first picture, and one of another size, is sent whole`() {
        let whole = CellRun(origin: CellPoint(column: 0, row: 0), style: .plain, text: "Milk      ")
        #expect(CanvasDifference.runs(from: nil, to: canvas("Milk")) == [whole])
        #expect(CanvasDifference.runs(from: canvas("Milk", columns: 9), to: canvas("Milk")) == [whole])
    }

    @Test func `a wide character is sent again when its second half was overwritten`() {
        var old = canvas("牛")
        old.put("x", at: CellPoint(column: 1, row: 0), style: .plain)
        let runs = CanvasDifference.runs(from: old, to: canvas("牛"))
        #expect(runs.map(\.text) == ["牛"])
    }

    @Test func `a change of style begins a new run`() {
        var new = canvas("ab")
        new.put("b", at: CellPoint(column: 1, row: 0), style: .bold)
        let runs = CanvasDifference.runs(from: canvas(""), to: new)
        #expect(runs.map(\.text) == ["a", "b"])
    }
}

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
