import Testing

@testable import Watch

@Suite struct RowGeometryTests {
    @Test func titleBarAndRowsFillThePanel() {
        #expect(RowGeometry.rowsVisible >= 5)
        #expect(RowGeometry.rowTop(RowGeometry.rowsVisible) == PanelGeometry.height)
        #expect(RowGeometry.rowTop(0) == RowGeometry.titleBarHeight)
    }

    @Test func everyLineBelongsToTheRowThatIsDrawnThere() {
        for y in -5..<180 {
            let row = (0..<RowGeometry.rowsVisible).first {
                (RowGeometry.rowTop($0)..<RowGeometry.rowTop($0 + 1)).contains(y)
            }
            #expect(RowGeometry.row(atY: y) == row)
        }
    }

    @Test func edgesFallOnRowsOfBraille() {
        #expect(RowGeometry.titleBarHeight % 4 == 0 && RowGeometry.rowHeight % 4 == 0)
        #expect(RowGeometry.indicatorLeft % 8 == 0)
    }
}
