import Testing
import Watch

@testable import TerminalWatch

struct PanelImageTests {
    /// A dark panel of two pixels to one, in cells of 20 lines.
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
