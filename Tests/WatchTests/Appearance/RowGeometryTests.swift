import TestSupport
import Testing

@testable import Watch

struct RowGeometryTests {
    @Test func `title bar and rows fill the panel`() {
        #expect(RowGeometry.rowsVisible >= 5)
        #expect(RowGeometry.rowTop(RowGeometry.rowsVisible) == PanelGeometry.height)
        #expect(RowGeometry.rowTop(0) == RowGeometry.titleBarHeight)
    }

    @Test func `every line belongs to the row that is drawn there`() {
        for y in -5..<180 {
            let row = (0..<RowGeometry.rowsVisible).first {
                (RowGeometry.rowTop($0)..<RowGeometry.rowTop($0 + 1)).contains(y)
            }
            #expect(RowGeometry.row(atY: y) == row)
        }
    }

    @Test func `edges fall on rows of braille`() {
        #expect(RowGeometry.titleBarHeight % 4 == 0 && RowGeometry.rowHeight % 4 == 0)
        #expect(RowGeometry.indicatorLeft % 8 == 0)
    }
}

struct RowRegionTests {
    @Test func `any title stays within its row`() {
        var random = CanvasRandom()
        for _ in 0..<TestLevel.rounds(60, nightly: 300) {
            let canvas = Canvas()
            let position = random.int(0...5)
            var row = ListItem(id: ItemID(1), rank: 0, title: Canvas.title(bytes: random.text(upTo: 30)))
            row.shown = random.int(0...1) == 0 ? .waiting : .struck
            RowRegion(position: position).draw(row, into: &canvas.framebuffer)
            guard let area = canvas.litArea else { continue }
            #expect(area.top >= RowGeometry.rowTop(position), random.replay)
            #expect(area.bottom <= RowGeometry.rowTop(position + 1), random.replay)
            #expect(area.right <= RowGeometry.indicatorLeft, random.replay)
        }
    }

    @Test func `only the first row has no separator`() {
        for position in 0..<6 {
            let canvas = Canvas()
            RowRegion(position: position).draw(
                ListItem(id: ItemID(1), rank: 0, title: Canvas.title("x")), into: &canvas.framebuffer)
            let dots = (0..<144).filter { canvas.isLit($0, RowGeometry.rowTop(position)) }
            #expect(dots == (position == 0 ? [] : Array(stride(from: 6, to: 134, by: 4))))
        }
    }

    @Test func `the strike goes through the text and over its ends`() {
        let canvas = Canvas()
        var row = ListItem(id: ItemID(1), rank: 0, title: Canvas.title("Oat milk"))
        row.shown = .struck
        RowRegion(position: 1).draw(row, into: &canvas.framebuffer)
        let width = Font.row.width(of: Array("Oat milk".utf8).span)
        let line = RowGeometry.rowTop(1) + 12
        #expect((3..<6 + width + 3).allSatisfy { canvas.isLit($0, line) && canvas.isLit($0, line + 1) })
        #expect(!canvas.isLit(2, line) && !canvas.isLit(6 + width + 3, line))
    }
}

struct ScrollIndicatorTests {
    private func drawn(_ first: Int, _ total: Int) -> Canvas {
        let canvas = Canvas()
        ScrollIndicator(firstVisible: first, total: total).draw(into: &canvas.framebuffer)
        return canvas
    }

    @Test func `the indicator is blank while everything fits`() {
        for total in 0...6 { #expect(drawn(0, total).litArea == nil) }
    }

    @Test func `arrows say where there is more`() {
        for (first, total) in [(0, 7), (1, 7), (3, 128), (122, 128), (122, 10_000), (6, 7)] {
            let canvas = drawn(first, total)
            let above = (28..<32).contains { canvas.isLit(139, $0) }
            let below = (160..<164).contains { canvas.isLit(139, $0) }
            #expect(above == (first > 0) && below == (first + 6 < total))
        }
    }

    @Test func `the thumb goes down with the rows and stays between the arrows`() {
        var top = 0
        for first in 0...122 {
            let canvas = drawn(first, 128)
            let lines = (36..<156).filter { canvas.isLit(141, $0) || canvas.isLit(143, $0) }
            let outside = (24..<28).contains { canvas.isLit(143, $0) } || (164..<168).contains { canvas.isLit(143, $0) }
            #expect(!outside && lines.count >= 20)
            #expect((lines.first ?? 0) >= top)
            top = lines.first ?? 0
        }
        #expect(top > 130)
    }

    @Test func `the indicator stays in its columns and draws nothing twice`() {
        let canvas = drawn(10, 40)
        #expect((canvas.litArea?.left ?? 0) >= RowGeometry.indicatorLeft)
        canvas.flush()
        ScrollIndicator(firstVisible: 10, total: 40).draw(into: &canvas.framebuffer)
        #expect(canvas.dirtyLines.isEmpty)
    }
}
