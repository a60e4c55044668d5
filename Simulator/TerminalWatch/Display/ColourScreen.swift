import CChafa
import DeviceModel

/// Where and how a terminal draws the picture of a colour panel.
package struct ColourScreen: Equatable {
    package enum Method: Equatable {
        /// Kitty's graphics protocol: a PNG file, which the terminal scales.
        case kitty
        case sixel
        case blocks(hasAllColours: Bool)
    }

    let method: Method
    /// The size of a character cell in the terminal's pixels. 1 x 2 if the method is `.blocks`.
    let cell: PixelSize
    package let place: CellRect
    let panel: PictureSize

    /// Makes the picture as large as `size` allows, with the panel's proportions. The picture begins in the first row, is
    /// centred horizontally, and leaves the last row free for the status line.
    package init(method: Method, cell: PixelSize, panel: PictureSize, in size: CellSize) {
        (self.method, self.cell, self.panel) = (method, cell, panel)
        let most = CellSize(columns: max(1, size.columns), rows: max(1, size.rows - 1))
        // One pixel of the panel takes at most four pixels of the terminal in each direction.
        var rows = min(most.rows, cell.height > 2 ? 4 * panel.height / cell.height : panel.height)
        var columns = ColourScreen.columns(rows, cell, panel)
        if columns > most.columns {
            rows = max(1, rows * most.columns / columns)
            columns = min(most.columns, ColourScreen.columns(rows, cell, panel))
        }
        place = CellRect(column: (size.columns - columns) / 2, row: 0, columns: columns, rows: rows)
    }

    private static func columns(_ rows: Int, _ cell: PixelSize, _ panel: PictureSize) -> Int {
        max(1, (rows * cell.height * panel.width + panel.height * cell.width / 2) / (panel.height * cell.width))
    }

    package func pixel(under point: CellPoint) -> (x: Int, y: Int)? {
        guard place.contains(point) else { return nil }
        let (column, row) = (point.column - place.origin.column, point.row - place.origin.row)
        return (
            (2 * column + 1) * panel.width / (2 * place.size.columns),
            (2 * row + 1) * panel.height / (2 * place.size.rows)
        )
    }

    /// Returns the texts that draw the picture, each with the row of cells at which it begins. Row 0 is the top of `place`.
    package func texts(_ picture: ColourPicture) -> [(row: Int, text: String)] {
        switch method {
        case .kitty:
            do throws(PictureError) {
                let file = try PortableNetworkGraphics.file(picture)
                let keys = ",c=\(place.size.columns),r=\(place.size.rows)"
                return [(0, KittyPicture.transmission(of: file, number: 7_000, keys: keys))]
            } catch {
                preconditionFailure("there is room for the file: \(error)")
            }
        case .sixel: return [(0, drawn(picture, CHAFA_PIXEL_MODE_SIXELS, CHAFA_CANVAS_MODE_TRUECOLOR))]
        case .blocks(let hasAllColours):
            let mode = hasAllColours ? CHAFA_CANVAS_MODE_TRUECOLOR : CHAFA_CANVAS_MODE_INDEXED_240
            let lines = drawn(picture, CHAFA_PIXEL_MODE_SYMBOLS, mode).split(separator: "\n")
            return lines.enumerated().map { ($0.offset, String($0.element)) }
        }
    }

    /// The text that removes the picture. Empty unless the method is `.kitty`.
    package var removal: String { method == .kitty ? "\u{1B}_Ga=d,d=I,i=7000,q=2\u{1B}\\" : "" }

    private func drawn(_ picture: ColourPicture, _ mode: ChafaPixelMode, _ colours: ChafaCanvasMode) -> String {
        ChafaPicture(pixels: picture.bytes, size: picture.size, cell: cell, cells: place.size).text(mode, colours)
    }
}
