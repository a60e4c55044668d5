import Watch

enum PanelPicture: Equatable {
    /// The title bar and each row of the list are `linesPerRow` lines of text high.
    case text(columns: Int, linesPerRow: Int)
    case braille
    /// Each pixel of the panel is `scale` x `scale` pixels of the terminal.
    case pixels(GraphicsProtocol, scale: Int, cell: PixelSize)

    static let strips = PanelGeometry.height / RowGeometry.rowHeight
    /// The minimum width of the text view, in columns. A narrower terminal shows only a part of the view.
    private static let narrowestText = 26
    /// The maximum width of the text view, in columns. At this width, the view is about as wide as high.
    private static let widestText = 36
    private static let largestScale = 8

    init(_ preference: ViewPreference, size: CellSize, graphics: TerminalGraphics) {
        let pixels = PanelPicture.pixels(in: size, graphics)
        let text = PanelPicture.text(in: size)
        switch preference {
        case .always(.text): self = text
        case .always(.braille): self = .braille
        case .always(.pixels), .automatic:
            let whole = WatchLayout.smallest(for: .braille)
            let fits = size.columns >= whole.columns && size.rows >= whole.rows
            self = pixels ?? (fits ? .braille : text)
        }
    }

    /// The views that the terminal can show, in the order in which the user steps through them.
    static func kinds(size: CellSize, graphics: TerminalGraphics) -> [ViewKind] {
        ViewKind.allCases.filter { PanelPicture(.always($0), size: size, graphics: graphics).kind == $0 }
    }

    var kind: ViewKind {
        switch self {
        case .text: .text
        case .braille: .braille
        case .pixels: .pixels
        }
    }

    var size: CellSize {
        switch self {
        case .text(let columns, let lines): CellSize(columns: columns, rows: PanelPicture.strips * lines)
        case .braille: BrailleRenderer.size
        case .pixels(_, let scale, let cell):
            // A sixel is six lines high, so the last row of sixels may reach five lines below the panel.
            CellSize(
                columns: (PanelGeometry.width * scale + cell.width - 1) / cell.width,
                rows: (PanelGeometry.height * scale + 5 + cell.height - 1) / cell.height)
        }
    }

    /// Converts the middle of a cell to the panel's pixel coordinates. They may be outside the panel.
    func pixel(at cell: CellPoint) -> PanelPixel {
        switch self {
        case .text:
            PanelPixel(
                x: (2 * cell.column + 1) * PanelGeometry.width / (2 * size.columns),
                y: (2 * cell.row + 1) * PanelGeometry.height / (2 * size.rows))
        case .braille: BrailleRenderer.pixel(at: cell)
        case .pixels(_, let scale, let pixels):
            PanelPixel(
                x: (2 * cell.column + 1) * pixels.width / (2 * scale),
                y: (2 * cell.row + 1) * pixels.height / (2 * scale))
        }
    }

    private static func text(in size: CellSize) -> PanelPicture {
        let edges = WatchLayout.smallestEdges
        let lines = max(1, min(3, (size.rows - edges.rows) / strips))
        let columns = max(narrowestText, min(widestText, size.columns - edges.columns))
        return .text(columns: columns, linesPerRow: lines)
    }

    /// Returns the picture at the largest scale that leaves room for a side panel. If no scale leaves this room, returns the
    /// largest picture that fits. Nil if the terminal draws no pictures, or if no picture fits.
    private static func pixels(in size: CellSize, _ graphics: TerminalGraphics) -> PanelPicture? {
        guard case .some(let type, let cell) = graphics, cell.width > 0, cell.height > 0 else { return nil }
        let fitting = (1...largestScale).reversed().map { PanelPicture.pixels(type, scale: $0, cell: cell) }
            .filter { picture in
                let needed = WatchLayout.smallest(for: picture)
                return needed.columns <= size.columns && needed.rows <= size.rows
            }
        return fitting.first { WatchLayout.hasPanelBeside($0, in: size) } ?? fitting.first
    }
}

package enum ViewKind: String, CaseIterable, Sendable {
    /// This view fits into a small terminal.
    case text
    case braille
    /// This view needs a terminal with a protocol for pictures.
    case pixels
}

package enum ViewPreference: Equatable, Sendable {
    case automatic
    case always(ViewKind)
}

struct PanelPixel: Equatable {
    var x: Int
    var y: Int

    /// The nearest pixel on the panel. The last cells of a picture may reach beyond the panel.
    var onPanel: PanelPixel {
        PanelPixel(x: max(0, min(PanelGeometry.width - 1, x)), y: max(0, min(PanelGeometry.height - 1, y)))
    }

    var touch: Input { .touch(x: Int16(clamping: x), y: Int16(clamping: y)) }
    var moved: Input { .moved(x: Int16(clamping: x), y: Int16(clamping: y)) }
    var lifted: Input { .lifted(x: Int16(clamping: x), y: Int16(clamping: y)) }
}
