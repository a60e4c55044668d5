import CChafa
import DeviceModel
import Foundation

enum SixelPicture {
    /// Lines of pixels in a sixel.
    static let height = 6

    static func text(_ image: PanelImage, rows: Range<Int>) -> String {
        let sixels = (image.lines(ofRows: rows) + height - 1) / height
        let lines = sixels * height
        let pixels = image.pixels(ofRow: rows.lowerBound, lines: lines).flatMap { pixel -> [UInt8] in
            let light: UInt8 = pixel == 0 ? 0 : 255
            return [light, light, light, 255]
        }
        guard let settings = chafa_canvas_config_new(), let terminal = chafa_term_info_new() else { return "" }
        defer {
            chafa_canvas_config_unref(settings)
            chafa_term_info_unref(terminal)
        }
        chafa_canvas_config_set_pixel_mode(settings, CHAFA_PIXEL_MODE_SIXELS)
        // With more than these two colours, the library would make some pixels nearly white.
        chafa_canvas_config_set_canvas_mode(settings, CHAFA_CANVAS_MODE_FGBG)
        chafa_canvas_config_set_fg_color(settings, 0xFF_FFFF)
        chafa_canvas_config_set_bg_color(settings, 0)
        chafa_canvas_config_set_cell_geometry(settings, 1, gint(height))
        chafa_canvas_config_set_geometry(settings, gint(image.width), gint(sixels))
        chafa_canvas_config_set_dither_mode(settings, CHAFA_DITHER_MODE_NONE)
        chafa_canvas_config_set_preprocessing_enabled(settings, 0)
        // The beginning and the end of sixel data (DEC STD 070, 9.5). The library fills in the numbers.
        chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS, "\u{1B}P%1;%2;%3q", nil)
        chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_END_SIXELS, "\u{1B}\\", nil)
        guard let canvas = chafa_canvas_new(settings) else { return "" }
        defer { chafa_canvas_unref(canvas) }
        chafa_canvas_draw_all_pixels(
            canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels, gint(image.width), gint(lines), gint(image.width * 4))
        guard let printed = chafa_canvas_print(canvas, terminal) else { return "" }
        defer { g_string_free(printed, 1) }
        return String(cString: printed.pointee.str)
    }
}

/// Draws with kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol), as PNG files in base64. Each row of cells
/// is a picture with its own number, so that a change sends only its rows.
enum KittyPicture {
    /// The most base64 characters in one escape sequence.
    private static let piece = 4_096
    /// The number of the first row's picture. Other programs are unlikely to use it.
    private static let firstNumber = 7_001

    /// `move` returns the escape sequence that moves the cursor to a cell.
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

    /// The escape sequence that removes the pictures of an image.
    static func removal(of image: PanelImage) -> String {
        image.rows.map { "\u{1B}_Ga=d,d=I,i=\(firstNumber + $0),q=2\u{1B}\\" }.joined()
    }

    /// a=T: send and show; f=100: a PNG file; C=1: the cursor stays; q=2: no answer.
    ///
    /// - Parameter more: further keys, each after a comma.
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
