import Testing
import Watch

@testable import TerminalWatch

struct ViewportTests {
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

struct PanelImageTests {
    private func image(litLine: Int? = nil, column: Int = 0) -> PanelImage {
        var frame = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
        if let litLine { frame[litLine * PanelGeometry.bytesPerLine] = 0xFF }
        return PanelImage(
            frame: frame, type: .sixel, scale: 2, cell: PixelSize(width: 10, height: 20),
            place: CellRect(column: column, row: 1, columns: 29, rows: 18))
    }

    @Test func `only rows with a line that has changed are sent`() {
        #expect(image().changedRows(from: image()) == [])
        // Lines 0 to 9 of the panel are the first row of cells.
        #expect(image(litLine: 9).changedRows(from: image()) == [0..<1])
        #expect(image(litLine: 10).changedRows(from: image()) == [1..<2])
        #expect(image(litLine: 167).changedRows(from: image()) == [16..<17])
        #expect(image(litLine: 25).changedRows(from: image(litLine: 100)) == [2..<3, 10..<11])
        #expect(image(litLine: 25).changedRows(from: image(litLine: 35)) == [2..<4])
    }

    @Test func `all of them are sent first, and after a move`() {
        #expect(image().changedRows(from: nil) == [0..<17])
        #expect(image().changedRows(from: image(column: 1)) == [0..<17])
    }
}
