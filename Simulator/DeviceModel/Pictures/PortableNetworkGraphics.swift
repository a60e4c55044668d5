import CPNG

/// PNG files, by the simplified interface of libpng (its png.h, section 5).
package enum PortableNetworkGraphics {
    /// The first eight bytes of each PNG file (the PNG specification, 5.2).
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The picture of a file in grey. The file has any colour type and interlacing, and samples of up to 8 bits. Transparent
    /// pixels are drawn on white.
    ///
    /// - Throws: `.notPNG`, `.damaged`, `.tooDeep`; `.tooLarge` before anything is allocated for the pixels.
    package static func picture(in file: [UInt8]) throws(PictureError) -> GreyPicture {
        guard file.starts(with: signature) else { throw .notPNG }
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, file, file.count) != 0 else {
            throw .damaged(message(of: image))
        }
        let size = PictureSize(width: Int(image.width), height: Int(image.height))
        // begin_read thus reports samples of 16 bits. If libpng 1.6.39 reduced interlaced ones to bytes, it wrote beyond the
        // buffer (CVE-2025-65018).
        guard image.format & png_uint_32(PNG_FORMAT_FLAG_LINEAR) == 0 else { throw .tooDeep }
        let most = GreyPicture.mostPixels
        guard size.width * size.height <= most else { throw .tooLarge(size, most: most) }
        return GreyPicture(size: size, pixels: try pixels(&image, size))
    }

    private static func pixels(_ image: inout png_image, _ size: PictureSize) throws(PictureError) -> [UInt8] {
        // PNG_FORMAT_GRAY: a byte a pixel.
        image.format = 0
        var pixels = [UInt8](repeating: 0, count: size.width * size.height)
        var white = png_color(red: 255, green: 255, blue: 255)
        guard png_image_finish_read(&image, &white, &pixels, 0, nil) != 0 else { throw .damaged(message(of: image)) }
        return pixels
    }

    /// A file with a palette.
    ///
    /// - Parameters:
    ///   - colours: the palette, 1 to 256 colours. libpng stores 1, 2, 4 or 8 bits a pixel, as their number needs.
    ///   - pixels: a byte a pixel, the colour's place in the palette, line after line from the top.
    /// - Throws: `.notWritten` with libpng's own message.
    package static func file(
        colours: [Colour], pixels: [UInt8], of size: PictureSize
    ) throws(PictureError) -> [UInt8] {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(size.width)
        image.height = png_uint_32(size.height)
        // PNG_FORMAT_RGB_COLORMAP
        image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR) | png_uint_32(PNG_FORMAT_FLAG_COLORMAP)
        image.colormap_entries = png_uint_32(colours.count)
        defer { png_image_free(&image) }

        let map = colours.flatMap { [$0.red, $0.green, $0.blue] }
        // Always enough for a byte a pixel, the filter bytes and the fixed parts of the file.
        var file = [UInt8](repeating: 0, count: pixels.count + size.height + 4_096)
        var length = png_alloc_size_t(file.count)
        guard png_image_write_to_memory(&image, &file, &length, 0, pixels, 0, map) != 0 else {
            throw .notWritten(message(of: image))
        }
        return Array(file.prefix(Int(length)))
    }

    private static func message(of image: png_image) -> String {
        withUnsafeBytes(of: image.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
