import CChafa
import DeviceModel
import Foundation

enum SixelPicture {
    static let height = 6

    static func text(_ image: PanelImage, rows: Range<Int>) -> String {
        let sixels = (image.lines(ofRows: rows) + height - 1) / height
        let lines = sixels * height
        let pixels = image.pixels(ofRow: rows.lowerBound, lines: lines).flatMap { pixel -> [UInt8] in
            let light: UInt8 = pixel == 0 ? 0 : 255
            return [light, light, light]
        }
        // With more than these two colours, the library would make some pixels nearly white.
        return ChafaPicture(
            pixels: pixels, size: PictureSize(width: image.width, height: lines),
            cell: PixelSize(width: 1, height: height), cells: CellSize(columns: image.width, rows: sixels)
        ).text(CHAFA_PIXEL_MODE_SIXELS, CHAFA_CANVAS_MODE_FGBG)
    }
}

/// A picture that the library chafa draws with sixels or with block characters.
struct ChafaPicture {
    let pixels: [UInt8]
    let size: PictureSize
    let cell: PixelSize
    let cells: CellSize

    func text(_ mode: ChafaPixelMode, _ colours: ChafaCanvasMode) -> String {
        guard let settings = chafa_canvas_config_new(), let symbols = chafa_symbol_map_new(),
            let terminal = chafa_term_db_get_fallback_info(chafa_term_db_get_default())
        else { return "" }
        defer {
            chafa_canvas_config_unref(settings)
            chafa_symbol_map_unref(symbols)
            chafa_term_info_unref(terminal)
        }
        chafa_canvas_config_set_pixel_mode(settings, mode)
        chafa_canvas_config_set_canvas_mode(settings, colours)
        chafa_canvas_config_set_fg_color(settings, 0xFF_FFFF)
        chafa_canvas_config_set_bg_color(settings, 0)
        chafa_canvas_config_set_cell_geometry(settings, gint(cell.width), gint(cell.height))
        chafa_canvas_config_set_geometry(settings, gint(cells.columns), gint(cells.rows))
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
            canvas, CHAFA_PIXEL_RGB8, pixels, gint(size.width), gint(size.height), gint(size.width * 3))
        guard let printed = chafa_canvas_print(canvas, terminal) else { return "" }
        defer { g_string_free(printed, 1) }
        return String(cString: printed.pointee.str)
    }
}

/// Draws with kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol), as PNG files in base64. Each row of cells
/// is a separate picture with its own number, so that only the changed rows are sent.
enum KittyPicture {
    private static let piece = 4_096
    private static let firstNumber = 7_001

    static func text(_ image: PanelImage, rows: Range<Int>, move: (CellPoint) -> String) -> String {
        var text = ""
        for row in rows {
            let lines = image.lines(ofRows: row..<row + 1)
            let file: [UInt8]
            do throws(PictureError) {
                file = try PortableNetworkGraphics.file(
                    colours: Colour.blackAndWhite, pixels: image.pixels(ofRow: row, lines: lines),
                    of: PictureSize(width: image.width, height: lines))
            } catch {
                preconditionFailure("there is a byte for each pixel and room for the file: \(error)")
            }
            text += move(CellPoint(column: image.place.origin.column, row: image.place.origin.row + row))
            text += transmission(of: file, number: firstNumber + row)
        }
        return text
    }

    static func removal(of image: PanelImage) -> String {
        image.rows.map { "\u{1B}_Ga=d,d=I,i=\(firstNumber + $0),q=2\u{1B}\\" }.joined()
    }

    /// Returns the escape sequences that send a PNG file to the terminal and show it. The keys are a=T: send and show; f=100: a
    /// PNG file; i: the number; C=1: the cursor stays; q=2: no answer. The parameter `more` adds keys, each after a comma.
    static func transmission(of file: [UInt8], number: Int, keys more: String = "") -> String {
        var rest = Data(file).base64EncodedString()[...]
        var keys = "a=T,f=100,i=\(number),C=1,q=2\(more)"
        var text = ""
        repeat {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(piece)
            text += "\u{1B}_G\(keys),m=\(rest.isEmpty ? 0 : 1);\(part)\u{1B}\\"
            keys = "q=2"
        } while !rest.isEmpty
        return text
    }
}
