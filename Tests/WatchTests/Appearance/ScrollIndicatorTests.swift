import Testing

@testable import Watch

@Suite struct ScrollIndicatorTests {
    private func drawn(_ first: Int, _ total: Int) -> Canvas {
        let canvas = Canvas()
        ScrollIndicator(firstVisible: first, total: total).draw(into: &canvas.framebuffer)
        return canvas
    }

    @Test func isBlankWhileEverythingFits() {
        for total in 0...6 { #expect(drawn(0, total).litArea == nil) }
    }

    @Test func arrowsSayWhereThereIsMore() {
        for (first, total) in [(0, 7), (1, 7), (3, 128), (122, 128), (122, 10_000), (6, 7)] {
            let canvas = drawn(first, total)
            let above = (28..<32).contains { canvas.isLit(139, $0) }
            let below = (160..<164).contains { canvas.isLit(139, $0) }
            #expect(above == (first > 0) && below == (first + 6 < total))
        }
    }

    @Test func thumbGoesDownWithTheRowsAndStaysBetweenTheArrows() {
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

    @Test func staysInItsColumnsAndDrawsNothingTwice() {
        let canvas = drawn(10, 40)
        #expect((canvas.litArea?.left ?? 0) >= RowGeometry.indicatorLeft)
        canvas.flush()
        ScrollIndicator(firstVisible: 10, total: 40).draw(into: &canvas.framebuffer)
        #expect(canvas.dirtyLines.isEmpty)
    }
}
