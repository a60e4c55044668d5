import CChafa

/// Pictures made of sixels, by way of chafa: this file is the only one that knows the library.
enum SixelPicture {
    /// Lines of pixels in a sixel.
    static let height = 6

    /// What shows the rows of an image where the cursor is.
    ///
    /// The library scales a picture to whole cells and cuts the last lines off that make no sixel. With cells of one pixel by six
    /// nothing is scaled, and each pixel is what it was.
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
        // Of more colours than these two the library would choose some that are nearly white.
        chafa_canvas_config_set_canvas_mode(settings, CHAFA_CANVAS_MODE_FGBG)
        chafa_canvas_config_set_fg_color(settings, 0xFF_FFFF)
        chafa_canvas_config_set_bg_color(settings, 0)
        chafa_canvas_config_set_cell_geometry(settings, 1, gint(height))
        chafa_canvas_config_set_geometry(settings, gint(image.width), gint(sixels))
        chafa_canvas_config_set_dither_mode(settings, CHAFA_DITHER_MODE_NONE)
        chafa_canvas_config_set_preprocessing_enabled(settings, 0)
        // How a sequence of sixels begins and ends (DEC STD 070, 9.5): the numbers are the library's.
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
