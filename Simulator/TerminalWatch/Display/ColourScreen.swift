import CChafa
import DeviceModel

/// How a terminal shows a picture in colour, and where.
package struct ColourScreen: Equatable {
    package enum Method: Equatable {
        /// PNG files, which the terminal scales.
        case kitty
        case sixel
        /// Half blocks in 24-bit colours, or in the 240 fixed colours that most terminals have.
        case blocks(hasAllColours: Bool)
    }

    let method: Method
    /// The size of a character, in the terminal's pixels; 1 x 2 if it is not known.
    let cell: PixelSize
    package let place: CellRect
    let panel: PictureSize

    /// Places the largest picture with the panel's proportions in the middle of the terminal, above the status line.
    package init(method: Method, cell: PixelSize, panel: PictureSize, in size: CellSize) {
        (self.method, self.cell, self.panel) = (method, cell, panel)
        let most = CellSize(columns: max(1, size.columns), rows: max(1, size.rows - 1))
        // At most four of the terminal's pixels for one of the panel.
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

    /// The pixel of the panel at the middle of a character; nil outside of the picture.
    package func pixel(under point: CellPoint) -> (x: Int, y: Int)? {
        guard place.contains(point) else { return nil }
        let (column, row) = (point.column - place.origin.column, point.row - place.origin.row)
        return (
            (2 * column + 1) * panel.width / (2 * place.size.columns),
            (2 * row + 1) * panel.height / (2 * place.size.rows)
        )
    }

    /// Texts to print, each with the row of cells at which it begins.
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

    /// The escape sequence that removes the picture; empty if the picture is text.
    package var removal: String { method == .kitty ? "\u{1B}_Ga=d,d=I,i=7000,q=2\u{1B}\\" : "" }

    private func drawn(_ picture: ColourPicture, _ pixels: ChafaPixelMode, _ colours: ChafaCanvasMode) -> String {
        guard let settings = chafa_canvas_config_new(), let symbols = chafa_symbol_map_new(),
            let terminal = chafa_term_db_get_fallback_info(chafa_term_db_get_default())
        else { return "" }
        defer {
            chafa_canvas_config_unref(settings)
            chafa_symbol_map_unref(symbols)
            chafa_term_info_unref(terminal)
        }
        chafa_canvas_config_set_pixel_mode(settings, pixels)
        chafa_canvas_config_set_canvas_mode(settings, colours)
        chafa_canvas_config_set_cell_geometry(settings, gint(cell.width), gint(cell.height))
        chafa_canvas_config_set_geometry(settings, gint(place.size.columns), gint(place.size.rows))
        chafa_canvas_config_set_dither_mode(settings, CHAFA_DITHER_MODE_NONE)
        chafa_canvas_config_set_preprocessing_enabled(settings, 0)
        chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_VHALF)
        chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_SPACE)
        chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_SOLID)
        chafa_canvas_config_set_symbol_map(settings, symbols)
        // The beginning and the end of sixel data (DEC STD 070, 9.5). The library fills in the numbers.
        chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS, "\u{1B}P%1;%2;%3q", nil)
        chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_END_SIXELS, "\u{1B}\\", nil)
        guard let canvas = chafa_canvas_new(settings) else { return "" }
        defer { chafa_canvas_unref(canvas) }
        chafa_canvas_draw_all_pixels(
            canvas, CHAFA_PIXEL_RGB8, picture.bytes, gint(picture.size.width), gint(picture.size.height),
            gint(picture.size.width * 3))
        guard let printed = chafa_canvas_print(canvas, terminal) else { return "" }
        defer { g_string_free(printed, 1) }
        return String(cString: printed.pointee.str)
    }
}
