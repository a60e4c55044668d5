/// The layout of the list screen in pixels: a title bar of 24 lines and six rows of 24 lines fill the panel.
///
/// All edges are multiples of four lines: a terminal shows four lines as one row of braille, and no edge may fall
/// inside a character.
public enum RowGeometry {
    /// Height of the title bar in lines.
    public static var titleBarHeight: Int { 24 }
    /// Height of a row in lines.
    public static var rowHeight: Int { 24 }
    /// The number of rows on the panel.
    public static var rowsVisible: Int { 6 }
    /// The first column of a row's text.
    public static var textLeft: Int { 6 }
    /// The column behind a row's text.
    static var textRight: Int { 134 }
    /// The first column of the scroll indicator, at the start of a byte. Rows end here.
    static var indicatorLeft: Int { 136 }

    /// The first line of the row at `position`, 0 for the row under the title bar.
    public static func rowTop(_ position: Int) -> Int { titleBarHeight + position * rowHeight }

    /// The position of the row that contains line `y` of the panel, nil in the title bar and outside the panel.
    public static func row(atY y: Int) -> Int? {
        guard y >= titleBarHeight, y < rowTop(rowsVisible) else { return nil }
        return (y - titleBarHeight) / rowHeight
    }

    /// The area of the row at `position`, without the scroll indicator.
    static func area(_ position: Int) -> Rect {
        Rect(x: 0, y: rowTop(position), width: indicatorLeft, height: rowHeight)
    }

    static var listArea: Rect {
        Rect(x: 0, y: titleBarHeight, width: PanelGeometry.width, height: rowHeight * rowsVisible)
    }
}
