import CPNG

/// Reads and writes PNG files with the simplified interface of libpng (section 5 of its png.h).
package enum PortableNetworkGraphics {
    /// The first eight bytes of each PNG file (section 5.2 of the PNG specification).
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads a file as a grey picture. The file may have any colour type and interlacing, with samples of up to 8 bits.
    /// Transparent pixels become white.
    ///
    /// - Throws: `.notPNG`, `.damaged`, `.tooDeep`, or `.tooLarge` before memory for the pixels is allocated.
    package static func picture(in file: [UInt8]) throws(PictureError) -> GreyPicture {
        guard file.starts(with: signature) else { throw .notPNG }
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, file, file.count) != 0 else {
            throw .damaged(message(of: image))
        }
        let size = PictureSize(width: Int(image.width), height: Int(image.height))
        // With this format, libpng reports 16-bit samples before it reads them. libpng 1.6.39 would write beyond the buffer if
        // it reduced interlaced ones to bytes (CVE-2025-65018).
        guard image.format & png_uint_32(PNG_FORMAT_FLAG_LINEAR) == 0 else { throw .tooDeep }
        let most = GreyPicture.mostPixels
        guard size.width * size.height <= most else { throw .tooLarge(size, most: most) }
        return GreyPicture(size: size, pixels: try pixels(&image, size))
    }

    private static func pixels(_ image: inout png_image, _ size: PictureSize) throws(PictureError) -> [UInt8] {
        // PNG_FORMAT_GRAY has one byte for each pixel.
        image.format = 0
        var pixels = [UInt8](repeating: 0, count: size.width * size.height)
        var white = png_color(red: 255, green: 255, blue: 255)
        guard png_image_finish_read(&image, &white, &pixels, 0, nil) != 0 else { throw .damaged(message(of: image)) }
        return pixels
    }

    /// Encodes a picture as a file with a palette.
    ///
    /// - Parameters:
    ///   - colours: the palette, 1 to 256 colours. libpng stores 1, 2, 4 or 8 bits for each pixel, depending on their number.
    ///   - pixels: the palette index of each pixel, line by line from the top.
    /// - Throws: `.notWritten` with libpng's message.
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
        // Enough room for each pixel's byte, the filter bytes and the fixed parts of the file.
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
