import CPNG

/// Reads and writes PNG files with the simplified interface of libpng (section 5 of its png.h).
package enum PortableNetworkGraphics {
    /// The first eight bytes of each PNG file (section 5.2 of the PNG specification).
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads a file in grey. The file may have any colour type and interlacing, with samples of up to 8 bits. Transparent
    /// pixels become white.
    ///
    /// - Throws: `.notPNG`, `.damaged`, `.tooDeep`, or `.tooLarge` before memory for the pixels is allocated.
    package static func picture(in file: [UInt8]) throws(PictureError) -> GreyPicture {
        // PNG_FORMAT_GRAY: one byte for each pixel.
        let (size, bytes) = try samples(in: file, format: 0, count: 1)
        return GreyPicture(size: size, pixels: bytes)
    }

    /// Reads a file in colour, with the rules and errors of `picture`.
    package static func colourPicture(in file: [UInt8]) throws(PictureError) -> ColourPicture {
        let (size, bytes) = try samples(in: file, format: colour, count: 3)
        return ColourPicture(
            size: size,
            pixels: stride(from: 0, to: bytes.count, by: 3).map {
                Colour(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
            })
    }

    /// PNG_FORMAT_RGB: three bytes for each pixel.
    private static let colour = png_uint_32(PNG_FORMAT_FLAG_COLOR)

    private static func samples(
        in file: [UInt8], format: png_uint_32, count: Int
    ) throws(PictureError) -> (size: PictureSize, bytes: [UInt8]) {
        guard file.starts(with: signature) else { throw .notPNG }
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, file, file.count) != 0 else {
            throw .damaged(message(of: image))
        }
        let size = PictureSize(width: Int(image.width), height: Int(image.height))
        // In this format, libpng reports 16-bit samples before it reads them. If they are interlaced, libpng 1.6.39 would write
        // beyond the buffer when it reduces them to bytes (CVE-2025-65018).
        guard image.format & png_uint_32(PNG_FORMAT_FLAG_LINEAR) == 0 else { throw .tooDeep }
        let most = GreyPicture.mostPixels / count
        guard size.width * size.height <= most else { throw .tooLarge(size, most: most) }
        image.format = format
        var bytes = [UInt8](repeating: 0, count: size.width * size.height * count)
        var white = png_color(red: 255, green: 255, blue: 255)
        guard png_image_finish_read(&image, &white, &bytes, 0, nil) != 0 else { throw .damaged(message(of: image)) }
        return (size, bytes)
    }

    package static func file(_ picture: ColourPicture) throws(PictureError) -> [UInt8] {
        try file(picture.size, format: colour, picture.bytes, map: nil)
    }

    /// Encodes palette indices, line by line from the top. libpng stores 1, 2, 4 or 8 bits for each pixel, depending on the
    /// number of colours (1 to 256).
    package static func file(
        colours: [Colour], pixels: [UInt8], of size: PictureSize
    ) throws(PictureError) -> [UInt8] {
        // PNG_FORMAT_RGB_COLORMAP
        let format = colour | png_uint_32(PNG_FORMAT_FLAG_COLORMAP)
        return try file(size, format: format, pixels, map: colours.flatMap { [$0.red, $0.green, $0.blue] })
    }

    private static func file(
        _ size: PictureSize, format: png_uint_32, _ bytes: [UInt8], map: [UInt8]?
    ) throws(PictureError) -> [UInt8] {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(size.width)
        image.height = png_uint_32(size.height)
        image.format = format
        image.colormap_entries = png_uint_32((map?.count ?? 0) / 3)
        defer { png_image_free(&image) }

        // This is always enough for the samples, the filter bytes and the fixed parts of the file.
        var file = [UInt8](repeating: 0, count: bytes.count + bytes.count / 1_000 + size.height + 4_096)
        var length = png_alloc_size_t(file.count)
        guard png_image_write_to_memory(&image, &file, &length, 0, bytes, 0, map) != 0 else {
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
