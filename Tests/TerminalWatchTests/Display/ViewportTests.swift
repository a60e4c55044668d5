import Testing

@testable import TerminalWatch

struct ViewportTests {
    /// What an 80 x 24 terminal shows: all columns, 22 rows.
    private var small: Viewport {
        Viewport(content: BrailleRenderer.size, window: CellSize(columns: 80, rows: 22))
    }

    @Test func `a window larger than the picture shows all of it`() {
        let viewport = Viewport(content: BrailleRenderer.size, window: CellSize(columns: 200, rows: 80))
        #expect(viewport.window == BrailleRenderer.size)
    }

    @Test func `it does not leave the picture`() {
        var viewport = small
        viewport.pan(columns: 100, rows: 100)
        #expect(viewport.origin == CellPoint(column: 0, row: 20))
        viewport.pan(columns: -100, rows: -100)
        #expect(viewport.origin == CellPoint(column: 0, row: 0))
    }

    @Test func `it moves no more than it must to show what changed`() {
        var viewport = small
        viewport.follow(CellRect(column: 0, row: 10, columns: 72, rows: 6))
        #expect(viewport.origin.row == 0)
        viewport.follow(CellRect(column: 0, row: 24, columns: 72, rows: 6))
        #expect(viewport.origin.row == 8)
        viewport.follow(CellRect(column: 0, row: 2, columns: 72, rows: 6))
        #expect(viewport.origin.row == 2)
    }

    @Test func `it stays where it is when everything changes`() {
        var viewport = small
        viewport.pan(columns: 0, rows: 9)
        viewport.follow(CellRect(column: 0, row: 0, columns: 72, rows: 42))
        #expect(viewport.origin.row == 9)
    }

    @Test func `it follows sideways too`() {
        var viewport = Viewport(content: BrailleRenderer.size, window: CellSize(columns: 30, rows: 10))
        viewport.follow(CellRect(column: 60, row: 0, columns: 4, rows: 2))
        #expect(viewport.origin == CellPoint(column: 34, row: 0))
    }

    private let dark = [UInt8](repeating: 0, count: 3_024)

    @Test func `frames that are alike have no focus`() {
        #expect(Viewport.changed(from: dark, to: dark) == nil)
    }

    @Test func `the focus is the smallest rectangle that holds all changes`() {
        var new = dark
        new[40 * 18 + 3] = 1
        new[47 * 18 + 5] = 1
        let focus = Viewport.changed(from: dark, to: new)
        #expect(focus == CellRect(column: 12, row: 10, columns: 12, rows: 2))
    }

    @Test func `a touch is looked at with the row around it`() {
        #expect(Viewport.touched(y: 60).rowRange.contains(15))
        #expect(Viewport.touched(y: 0).origin.row == 0)
    }
}
