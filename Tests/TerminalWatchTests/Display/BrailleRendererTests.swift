import TestSupport
import Testing
import Watch
import WatchLink

@testable import TerminalWatch

struct BrailleRendererTests {
    private func frame(_ pixels: [(x: Int, y: Int)]) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
        for (x, y) in pixels { frame[y * PanelGeometry.bytesPerLine + x / 8] |= 0x80 >> UInt8(x % 8) }
        return frame
    }

    private func frame(litLines: Range<Int>) -> [UInt8] {
        (0..<PanelGeometry.bytesPerFrame).map { litLines.contains($0 / PanelGeometry.bytesPerLine) ? 0xFF : 0 }
    }

    @Test func `a frame becomes 72 by 42 cells`() {
        #expect(BrailleRenderer.size == CellSize(columns: 72, rows: 42))
        #expect(BrailleRenderer.render(frame([])).size == BrailleRenderer.size)
    }

    @Test(arguments: [
        (0, 0, "⠁"), (0, 1, "⠂"), (0, 2, "⠄"), (0, 3, "⡀"), (1, 0, "⠈"), (1, 1, "⠐"), (1, 2, "⠠"), (1, 3, "⢀"),
    ])
    func `each pixel is the dot at its place`(x: Int, y: Int, dot: Character) {
        let canvas = BrailleRenderer.render(frame([(x + 70, y + 80)]))
        #expect(canvas[35, 20] == Cell(dot, style: TextStyle(.brightWhite, on: .black)))
    }

    @Test func `every pixel of a frame survives the rendering`() {
        let seed = Seed.chosen()
        var random = SplitMix64(seed: seed)
        // About one pixel in eight is lit. That is too few for a lit area, so every background is dark.
        let frame = (0..<PanelGeometry.bytesPerFrame).map { _ in random.next() & random.next() & random.next() }
            .map { UInt8(truncatingIfNeeded: $0) }
        let canvas = BrailleRenderer.render(frame)
        for row in 0..<42 {
            for column in 0..<72 {
                let mask = BrailleRenderer.litMask(of: frame, column: column, row: row)
                // Every mask is a byte, so this is one of the 256 braille patterns.
                let expected: Character = mask == 0 ? " " : Character(Unicode.Scalar(0x2800 + UInt32(mask)) ?? "!")
                #expect(canvas[column, row].content == .text(expected), "seed \(seed), cell \(column), \(row)")
            }
        }
    }

    @Test func `a white bar is drawn in reverse`() {
        let bar = frame(litLines: 0..<24)
        #expect((0..<6).allSatisfy { BrailleRenderer.polarity(of: bar, row: $0) == .darkDots })
        #expect((6..<42).allSatisfy { BrailleRenderer.polarity(of: bar, row: $0) == .litDots })
        let canvas = BrailleRenderer.render(bar)
        #expect(canvas[10, 3] == Cell(" ", style: TextStyle(.black, on: .brightWhite)))
        #expect(canvas[10, 8] == Cell(" ", style: TextStyle(.brightWhite, on: .black)))
    }

    @Test func `a bar whose edge runs through a cell has no mesh at its edge`() {
        let canvas = BrailleRenderer.render(frame(litLines: 0..<22))
        #expect(canvas[10, 5] == Cell("▄", style: TextStyle(.black, on: .brightWhite)))
        let lower = BrailleRenderer.render(frame(litLines: 146..<168))
        #expect(lower[10, 36] == Cell("▄", style: TextStyle(.brightWhite, on: .black)))
    }

    @Test func `the dark letters of a bar are dots, even where a stroke fills a cell`() {
        var bar = frame(litLines: 0..<24)
        for line in 8..<16 { bar[line * PanelGeometry.bytesPerLine + 4] = 0b0011_1111 }
        let canvas = BrailleRenderer.render(bar)
        #expect(canvas[16, 2] == Cell("⣿", style: TextStyle(.black, on: .brightWhite)))
    }

    @Test func `where there is no area, a row has one polarity`() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<20 {
            let frame = (0..<PanelGeometry.bytesPerFrame).map { _ in
                // In each cell, four of the eight pixels are lit, so neither colour prevails.
                random.next() & 1 == 0 ? UInt8(0x55) : 0xAA
            }
            let canvas = BrailleRenderer.render(frame)
            for row in 0..<42 {
                #expect(Set((0..<72).map { canvas[$0, row].style.background }).count == 1)
            }
        }
    }

    @Test func `thick strokes on black are white areas, without a mesh`() {
        var frame = frame([])
        // Two strokes that are 16 pixels thick: one vertical, one horizontal. Their upper edges are one pixel below the
        // edge of a cell.
        for line in 41..<121 {
            frame[line * PanelGeometry.bytesPerLine + 4...line * PanelGeometry.bytesPerLine + 5] = [0xFF, 0xFF]
        }
        for line in 41..<57 {
            frame[line * PanelGeometry.bytesPerLine + 4...line * PanelGeometry.bytesPerLine + 13] = ArraySlice(
                repeating: 0xFF, count: 10)
        }
        let canvas = BrailleRenderer.render(frame)
        #expect(canvas[20, 20] == Cell(" ", style: TextStyle(.black, on: .brightWhite)))
        #expect(canvas[30, 12] == Cell(" ", style: TextStyle(.black, on: .brightWhite)))
        #expect(canvas[30, 20] == Cell(" ", style: TextStyle(.brightWhite, on: .black)))
        #expect(canvas[2, 12] == Cell(" ", style: TextStyle(.brightWhite, on: .black)))
    }

    @Test func `a frame that is too short is dark where bytes are missing`() {
        #expect(BrailleRenderer.render([]) == BrailleRenderer.render(frame([])))
    }

    @Test func `a touch goes to the middle of a cell`() {
        #expect(BrailleRenderer.pixel(at: CellPoint(column: 0, row: 0)) == PanelPixel(x: 1, y: 2))
        #expect(BrailleRenderer.pixel(at: CellPoint(column: 71, row: 41)) == PanelPixel(x: 143, y: 166))
    }
}
