import Testing

@testable import TerminalWatch

struct WatchLayoutTests {
    private func display(
        _ columns: Int, _ rows: Int, _ view: ViewPreference = .automatic, _ graphics: TerminalGraphics = .none
    ) -> WatchLayout {
        WatchLayout(size: CellSize(columns: columns, rows: rows), view: view, graphics: graphics)
    }

    @Test func `in 80 by 24 cells braille shows 22 rows of the whole width`() throws {
        let layout = display(80, 24, .always(.braille))
        #expect(layout.window.size == CellSize(columns: 72, rows: 22))
        #expect(layout.panel == .onTheCase)
    }

    @Test func `by itself a terminal gets the view that shows the whole panel`() throws {
        #expect(display(74, 44).picture == .braille)
        #expect(display(73, 44).picture.kind == .text)
        #expect(display(74, 43).picture.kind == .text)
        #expect(display(80, 24).picture == .text(columns: 36, linesPerRow: 3))
        #expect(display(80, 16).picture == .text(columns: 36, linesPerRow: 2))
        #expect(display(30, 9).picture == .text(columns: 26, linesPerRow: 1))
    }

    @Test func `where there are pixels they are as large as leaves room for the panel beside them`() throws {
        let graphics = TerminalGraphics.some(.sixel, cell: PixelSize(width: 10, height: 20))
        let small = display(80, 24, .automatic, graphics)
        #expect(small.picture == .pixels(.sixel, scale: 2, cell: PixelSize(width: 10, height: 20)))
        #expect(small.panel.beside != nil)
        #expect(display(200, 60, .automatic, graphics).picture.size == CellSize(columns: 87, rows: 51))
        #expect(display(80, 24, .always(.text), graphics).picture.kind == .text)
        // A terminal too small for one pixel to a pixel.
        let huge = TerminalGraphics.some(.sixel, cell: PixelSize(width: 4, height: 7))
        #expect(display(40, 20, .always(.pixels), huge).picture.kind == .text)
    }

    @Test func `a large terminal shows everything, with the panel beside it`() throws {
        let layout = display(124, 50)
        #expect(layout.window.size == BrailleRenderer.size)
        #expect(try #require(layout.panel.beside).columnRange.upperBound <= 124)
    }

    @Test func `a high, narrow terminal has the panel below`() throws {
        #expect(try #require(display(80, 60).panel.below).rowRange.upperBound <= 60)
    }

    @Test func `in every size everything lies within the terminal and beside each other`() throws {
        let graphics = TerminalGraphics.some(.kitty, cell: PixelSize(width: 9, height: 19))
        for columns in 30..<170 {
            for rows in 9..<70 {
                let view = ViewPreference.always(ViewKind.allCases[(columns + rows) % 3])
                let layout = display(columns, rows, view, graphics)
                let whole = CellRect(column: 0, row: 0, columns: columns, rows: rows)
                var parts = [layout.caseRect]
                parts += [layout.panel.beside, layout.panel.below, layout.crown, layout.sideButton].compactMap(\.self)
                #expect(parts.allSatisfy { whole.encloses($0) }, "\(columns) x \(rows): \(parts)")
                for (index, part) in parts.enumerated() {
                    let later = parts[(index + 1)...]
                    #expect(later.allSatisfy { !$0.overlaps(part) }, "\(columns) x \(rows)")
                }
                #expect(layout.caseRect.encloses(layout.window))
            }
        }
    }

    @Test func `a cell of the window is a cell of the picture`() throws {
        let layout = display(80, 24, .always(.braille))
        var viewport = Viewport(content: BrailleRenderer.size, window: layout.window.size)
        viewport.pan(columns: 0, rows: 5)
        let corner = layout.window.origin
        #expect(layout.target(at: corner, viewport: viewport) == .display(CellPoint(column: 0, row: 5)))
        let crown = try #require(layout.crown)
        #expect(layout.target(at: crown.origin, viewport: viewport) == .crown)
        let button = try #require(layout.sideButton)
        #expect(layout.target(at: button.origin, viewport: viewport) == .sideButton)
        #expect(layout.target(at: CellPoint(column: 0, row: 0), viewport: viewport) == .nothing)
    }
}

extension WatchLayout.PanelPlace {
    fileprivate var beside: CellRect? { if case .beside(let rect) = self { rect } else { nil } }

    fileprivate var below: CellRect? { if case .below(let rect) = self { rect } else { nil } }
}

extension CellRect {
    fileprivate func encloses(_ other: CellRect) -> Bool {
        columnRange.lowerBound <= other.columnRange.lowerBound && other.columnRange.upperBound <= columnRange.upperBound
            && rowRange.lowerBound <= other.rowRange.lowerBound && other.rowRange.upperBound <= rowRange.upperBound
    }

    fileprivate func overlaps(_ other: CellRect) -> Bool {
        columnRange.overlaps(other.columnRange) && rowRange.overlaps(other.rowRange)
    }
}
