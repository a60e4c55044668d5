/// Where things are in a terminal of a given size.
enum WatchLayout: Equatable {
    /// Too small for a case: the rows of the list are written as text.
    case text(CellSize)
    /// The display in its case, as much of it as fits.
    case display(DisplayLayout)

    /// The smallest terminal in which the display has its case: a line for the title bar and for each row.
    static let smallestDisplay = CellSize(columns: 30, rows: 9)

    init(size: CellSize, view: ViewPreference = .automatic, graphics: TerminalGraphics = .none) {
        if size.columns < WatchLayout.smallestDisplay.columns || size.rows < WatchLayout.smallestDisplay.rows {
            self = .text(size)
        } else {
            let picture = PanelPicture(view, size: size, graphics: graphics)
            self = .display(DisplayLayout(size: size, picture: picture))
        }
    }
}

/// Where the display, its case and the side panel are.
struct DisplayLayout: Equatable {
    /// Where the side panel is.
    enum PanelPlace: Equatable {
        /// There is no room: its most important lines are written into the case's edges.
        case onTheCase
        /// Right of the watch.
        case beside(CellRect)
        /// Under the watch.
        case below(CellRect)
    }

    /// The whole terminal.
    let size: CellSize
    /// What the panel is drawn as.
    let picture: PanelPicture
    /// The case with its edges.
    let caseRect: CellRect
    /// The part of it that shows the display.
    let window: CellRect
    /// The crown beside the case, where there is room for it.
    let crown: CellRect?
    /// The side button beside the case, where there is room for it.
    let sideButton: CellRect?
    let panel: PanelPlace

    /// Columns that the crown needs right of the case.
    private static let crownColumns = 2
    /// Columns between the watch and the panel.
    private static let gap = 3
    /// The narrowest useful panel.
    private static let narrowestPanel = 28
    /// The widest panel: wider than that, its lines fall apart.
    private static let widestPanel = 42
    /// The lowest useful panel under the watch.
    private static let lowestPanel = 5

    /// Columns and rows of the case's edges with its crown.
    static let smallestEdges = CellSize(columns: 2 + crownColumns, rows: 2)

    /// The smallest terminal that shows all of a picture in its case.
    static func smallest(for picture: PanelPicture) -> CellSize {
        CellSize(columns: picture.size.columns + 2, rows: picture.size.rows + 2)
    }

    /// Whether there is room for the side panel beside a picture.
    static func hasPanelBeside(_ picture: PanelPicture, in size: CellSize) -> Bool {
        besideColumns(of: size.columns - picture.size.columns - smallestEdges.columns) >= narrowestPanel
    }

    /// The columns of a panel in the columns right of the watch.
    private static func besideColumns(of columns: Int) -> Int { columns - gap - 1 }

    /// The layout for a terminal of `size`, at least `WatchLayout.smallestDisplay`.
    init(size: CellSize, picture: PanelPicture) {
        self.size = size
        self.picture = picture
        let display = picture.size
        let hasCrown = size.columns >= display.columns + 2 + DisplayLayout.crownColumns
        let crownColumns = hasCrown ? DisplayLayout.crownColumns : 0
        let bezel = DisplayLayout.bezel(of: picture, in: size, crownColumns: crownColumns)
        let windowSize = CellSize(
            columns: min(display.columns, size.columns - 2 - crownColumns), rows: min(display.rows, size.rows - 2))
        let caseSize = CellSize(
            columns: windowSize.columns + 2 + 2 * bezel.columns, rows: windowSize.rows + 2 + 2 * bezel.rows)

        let besideColumns = DisplayLayout.besideColumns(of: size.columns - caseSize.columns - crownColumns)
        let belowRows = size.rows - caseSize.rows
        let panelColumns = min(besideColumns, DisplayLayout.widestPanel)
        let place: PanelSide =
            if besideColumns >= DisplayLayout.narrowestPanel {
                .beside
            } else if belowRows >= DisplayLayout.lowestPanel {
                .below
            } else {
                .onTheCase
            }
        let besides = place == .beside ? panelColumns + DisplayLayout.gap + 1 : 0
        let left = (size.columns - caseSize.columns - crownColumns - besides) / 2
        let top = place == .below ? 0 : (size.rows - caseSize.rows) / 2
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
        switch place {
        case .onTheCase: panel = .onTheCase
        case .beside:
            panel = .beside(
                CellRect(
                    column: edge + crownColumns + DisplayLayout.gap, row: 0, columns: panelColumns, rows: size.rows))
        case .below:
            panel = .below(
                CellRect(
                    column: left, row: caseSize.rows + 1, columns: caseSize.columns + crownColumns,
                    rows: belowRows - 1))
        }
    }

    /// The columns and rows of black on each side of the panel, where there is room for them beside everything else.
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

    private enum PanelSide { case onTheCase, beside, below }

    /// What is under a cell of the terminal.
    enum Target: Equatable {
        /// The display; the cell is counted from the upper left corner of the whole picture.
        case display(CellPoint)
        case crown
        case sideButton
        /// Nothing that can be pressed.
        case nothing
    }

    /// What is at `point` of the terminal while `viewport` is shown.
    func target(at point: CellPoint, viewport: Viewport) -> Target {
        if window.contains(point) {
            return .display(cell(under: point, viewport: viewport))
        }
        if crown?.contains(point) == true { return .crown }
        if sideButton?.contains(point) == true { return .sideButton }
        return .nothing
    }

    /// The cell of the whole picture under `point` of the terminal, or where one would be that is beside it.
    func cell(under point: CellPoint, viewport: Viewport) -> CellPoint {
        CellPoint(
            column: point.column - window.origin.column + viewport.origin.column,
            row: point.row - window.origin.row + viewport.origin.row)
    }
}
