/// The positions of the watch and its side panel in a terminal. A terminal that is too small shows a part of the watch.
struct WatchLayout: Equatable {
    enum PanelPlace: Equatable {
        /// There is no room for a side panel. The edges of the case show the panel's most important contents.
        case onTheCase
        case beside(CellRect)
        case below(CellRect)
    }

    let size: CellSize
    let picture: PanelPicture
    let caseRect: CellRect
    let window: CellRect
    let crown: CellRect?
    let sideButton: CellRect?
    let panel: PanelPlace

    private static let crownColumns = 2
    private static let gap = 3
    private static let narrowestPanel = 28
    /// The maximum width of the side panel, in columns. In a wider panel, the parts of a line would be too far apart.
    private static let widestPanel = 42
    private static let lowestPanel = 5

    static let smallestEdges = CellSize(columns: 2 + crownColumns, rows: 2)

    static func smallest(for picture: PanelPicture) -> CellSize {
        CellSize(columns: picture.size.columns + 2, rows: picture.size.rows + 2)
    }

    static func hasPanelBeside(_ picture: PanelPicture, in size: CellSize) -> Bool {
        besideColumns(of: size.columns - picture.size.columns - smallestEdges.columns) >= narrowestPanel
    }

    private static func besideColumns(of columns: Int) -> Int { columns - gap - 1 }

    init(size: CellSize, view: ViewPreference = .automatic, graphics: TerminalGraphics = .none) {
        let picture = PanelPicture(view, size: size, graphics: graphics)
        self.size = size
        self.picture = picture
        let display = picture.size
        let hasCrown = size.columns >= display.columns + 2 + WatchLayout.crownColumns
        let crownColumns = hasCrown ? WatchLayout.crownColumns : 0
        let bezel = WatchLayout.bezel(of: picture, in: size, crownColumns: crownColumns)
        let windowSize = CellSize(
            columns: min(display.columns, size.columns - 2 - crownColumns), rows: min(display.rows, size.rows - 2))
        let caseSize = CellSize(
            columns: windowSize.columns + 2 + 2 * bezel.columns, rows: windowSize.rows + 2 + 2 * bezel.rows)

        let besideColumns = WatchLayout.besideColumns(of: size.columns - caseSize.columns - crownColumns)
        let belowRows = size.rows - caseSize.rows
        let panelColumns = min(besideColumns, WatchLayout.widestPanel)
        let isBeside = besideColumns >= WatchLayout.narrowestPanel
        let isBelow =
            !isBeside && belowRows >= WatchLayout.lowestPanel && size.columns >= WatchLayout.narrowestPanel
        let besides = isBeside ? panelColumns + WatchLayout.gap + 1 : 0
        let left = max(0, size.columns - caseSize.columns - crownColumns - besides) / 2
        let top = isBelow ? 0 : max(0, size.rows - caseSize.rows) / 2
        caseRect = CellRect(column: left, row: top, columns: caseSize.columns, rows: caseSize.rows)
        window = CellRect(
            column: left + 1 + bezel.columns, row: top + 1 + bezel.rows, columns: windowSize.columns,
            rows: windowSize.rows)
        let edge = left + caseSize.columns
        crown = hasCrown ? CellRect(column: edge, row: top + caseSize.rows / 5, columns: 2, rows: 4) : nil
        sideButton =
            hasCrown
            ? CellRect(
                column: edge, row: top + caseSize.rows * 3 / 5, columns: 1, rows: caseSize.rows < 20 ? 3 : 5) : nil
        if isBeside {
            panel = .beside(
                CellRect(
                    column: edge + crownColumns + WatchLayout.gap, row: 0, columns: panelColumns, rows: size.rows))
        } else if isBelow {
            panel = .below(
                CellRect(
                    column: left, row: caseSize.rows + 1, columns: caseSize.columns + crownColumns,
                    rows: belowRows - 1))
        } else {
            panel = .onTheCase
        }
    }

    /// The thickness of the black border around the display: 1 cell, or 0 where there is no room. The borders at the left and
    /// right must not displace the side panel. The text view has no border.
    private static func bezel(of picture: PanelPicture, in size: CellSize, crownColumns: Int) -> CellSize {
        let display = picture.size
        switch picture {
        case .text: return CellSize(columns: 0, rows: 0)
        case .braille, .pixels:
            let taken = display.columns + 4 + crownColumns
            let hadPanel = hasPanelBeside(picture, in: size)
            let keepsPanel = besideColumns(of: size.columns - taken) >= narrowestPanel
            return CellSize(
                columns: size.columns >= taken && (keepsPanel || !hadPanel) ? 1 : 0,
                rows: size.rows >= display.rows + 4 ? 1 : 0)
        }
    }

    enum Target: Equatable {
        /// A cell of the display, counted from the display's upper left cell (0, 0), even if that cell is not visible.
        case display(CellPoint)
        case crown
        case sideButton
        case nothing
    }

    func target(at point: CellPoint, viewport: Viewport) -> Target {
        if window.contains(point) {
            return .display(cell(under: point, viewport: viewport))
        }
        if crown?.contains(point) == true { return .crown }
        if sideButton?.contains(point) == true { return .sideButton }
        return .nothing
    }

    /// The cell of the display at a point of the terminal, counted from the display's upper left cell (0, 0). The point may
    /// be outside the display.
    func cell(under point: CellPoint, viewport: Viewport) -> CellPoint {
        CellPoint(
            column: point.column - window.origin.column + viewport.origin.column,
            row: point.row - window.origin.row + viewport.origin.row)
    }
}
