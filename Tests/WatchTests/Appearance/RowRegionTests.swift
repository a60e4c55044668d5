import SeededNumbers
import Testing

@testable import Watch

@Suite struct RowRegionTests {
    @Test func anyTitleStaysWithinItsRow() {
        var random = CanvasRandom()
        for _ in 0..<TestLevel.rounds(60, nightly: 300) {
            let canvas = Canvas()
            let position = random.int(0...5)
            let row = ListRow(
                title: Canvas.title(bytes: random.text(upTo: 30)), state: random.int(0...1) == 0 ? .waiting : .struck)
            RowRegion(position: position).draw(row, into: &canvas.framebuffer)
            guard let area = canvas.litArea else { continue }
            #expect(area.top >= RowGeometry.rowTop(position), random.replay)
            #expect(area.bottom <= RowGeometry.rowTop(position + 1), random.replay)
            #expect(area.right <= RowGeometry.indicatorLeft, random.replay)
        }
    }

    @Test func onlyTheFirstRowHasNoSeparator() {
        for position in 0..<6 {
            let canvas = Canvas()
            RowRegion(position: position).draw(
                ListRow(title: Canvas.title("x"), state: .waiting), into: &canvas.framebuffer)
            let dots = (0..<144).filter { canvas.isLit($0, RowGeometry.rowTop(position)) }
            #expect(dots == (position == 0 ? [] : Array(stride(from: 6, to: 134, by: 4))))
        }
    }

    @Test func theStrikeGoesThroughTheTextAndOverItsEnds() {
        let canvas = Canvas()
        let row = ListRow(title: Canvas.title("Oat milk"), state: .struck)
        RowRegion(position: 1).draw(row, into: &canvas.framebuffer)
        let width = Font.row.width(of: Array("Oat milk".utf8).span)
        let line = RowGeometry.rowTop(1) + 12
        #expect((3..<6 + width + 3).allSatisfy { canvas.isLit($0, line) && canvas.isLit($0, line + 1) })
        #expect(!canvas.isLit(2, line) && !canvas.isLit(6 + width + 3, line))
    }
}
