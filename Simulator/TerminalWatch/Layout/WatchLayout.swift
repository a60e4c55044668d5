/// Where things are in a terminal of a given size.
enum WatchLayout: Equatable {
    /// Too small to read pixels in: the rows of the list are written as text.
    case text(CellSize)
    /// The display in its case, as much of it as fits.
    case display(DisplayLayout)

    /// The smallest terminal in which pixels are shown: a few letters of two rows of the list.
    static let smallestDisplay = CellSize(columns: 30, rows: 9)

    init(size: CellSize) {
        if size.columns < WatchLayout.smallestDisplay.columns || size.rows < WatchLayout.smallestDisplay.rows {
            self = .text(size)
        } else {
            self = .display(DisplayLayout(size: size))
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

    /// The layout for a terminal of `size`, which is large enough to show pixels.
    init(size: CellSize) {
        self.size = size
        let display = BrailleRenderer.size
        let hasCrown = size.columns >= display.columns + 2 + DisplayLayout.crownColumns
        let crownColumns = hasCrown ? DisplayLayout.crownColumns : 0
        let bezel = CellSize(
            columns: size.columns >= display.columns + 4 + crownColumns ? 1 : 0,
            rows: size.rows >= display.rows + 4 ? 1 : 0)
        let windowSize = CellSize(
            columns: min(display.columns, size.columns - 2 - crownColumns), rows: min(display.rows, size.rows - 2))
        let caseSize = CellSize(
            columns: windowSize.columns + 2 + 2 * bezel.columns, rows: windowSize.rows + 2 + 2 * bezel.rows)

        let besideColumns = size.columns - caseSize.columns - crownColumns - DisplayLayout.gap - 1
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
            // A panel taller than the case starts at its top; a lower one is level with it.
            panel = .beside(
                CellRect(
                    column: edge + crownColumns + DisplayLayout.gap, row: top, columns: panelColumns,
                    rows: caseSize.rows))
        case .below:
            panel = .below(
                CellRect(
                    column: left, row: caseSize.rows + 1, columns: caseSize.columns + crownColumns,
                    rows: belowRows - 1))
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
            return .display(
                CellPoint(
                    column: point.column - window.origin.column + viewport.origin.column,
                    row: point.row - window.origin.row + viewport.origin.row))
        }
        if crown?.contains(point) == true { return .crown }
        if sideButton?.contains(point) == true { return .sideButton }
        return .nothing
    }
}
