/// Where the list's rows are: six of 24 lines under a title bar of 24 lines, which fills the panel.
///
/// All edges are multiples of four lines, so that a terminal that shows four lines in one row of braille never has black and
/// white areas meet inside a character.
public enum RowGeometry {
    /// Lines of the title bar.
    public static var titleBarHeight: Int { 24 }
    /// Lines of a row.
    public static var rowHeight: Int { 24 }
    /// Rows that are visible at once.
    public static var rowsVisible: Int { 6 }
    /// The first column of a row's text.
    public static var textLeft: Int { 6 }
    /// The column after a row's text.
    public static var textRight: Int { 134 }
    /// The first column of the scroll indicator, at the start of a byte. Rows end here.
    public static var indicatorLeft: Int { 136 }

    /// The first line of the row at `position`, which counts from 0 under the title bar.
    public static func rowTop(_ position: Int) -> Int { titleBarHeight + position * rowHeight }

    /// The position whose row line `y` of the panel belongs to, or nil in the title bar and outside the panel.
    public static func row(atY y: Int) -> Int? {
        guard y >= titleBarHeight, y < rowTop(rowsVisible) else { return nil }
        return (y - titleBarHeight) / rowHeight
    }

    /// The area of the row at `position`, without the scroll indicator.
    static func area(_ position: Int) -> Rect {
        Rect(x: 0, y: rowTop(position), width: indicatorLeft, height: rowHeight)
    }

    /// Everything under the title bar.
    static var listArea: Rect {
        Rect(x: 0, y: titleBarHeight, width: PanelGeometry.width, height: rowHeight * rowsVisible)
    }
}
