import CPNG
import Watch

extension PanelFrame {
    /// The frame as a PNG file of one bit a pixel: lit pixels white, dark ones black.
    ///
    /// - Parameter scale: how many pixels of the image, across and down, one pixel of the panel makes: 1 to 16. Values
    ///   outside are taken as the nearest one inside.
    /// - Throws: `.encodingFailed` with libpng's own message.
    public func portableNetworkGraphics(scale: Int = 1) throws(DeviceModelError) -> [UInt8] {
        let scale = min(max(scale, 1), 16)
        let pixels = paletteIndices(scale: scale)
        let palette: [UInt8] = [0, 0, 0, 255, 255, 255]
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(PanelGeometry.width * scale)
        image.height = png_uint_32(PanelGeometry.height * scale)
        // PNG_FORMAT_RGB_COLORMAP: libpng then stores a bit a pixel, because the map has two colours.
        image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP)
        image.colormap_entries = 2
        defer { png_image_free(&image) }

        // Far more than one bit a pixel with its filter bytes and the fixed parts of the file can come to.
        var file = [UInt8](repeating: 0, count: pixels.count + 4_096)
        var length = png_alloc_size_t(file.count)
        guard png_image_write_to_memory(&image, &file, &length, 0, pixels, 0, palette) != 0 else {
            throw .encodingFailed(PanelFrame.message(of: image))
        }
        return Array(file.prefix(Int(length)))
    }

    /// A byte a pixel, 1 for lit, each pixel repeated `scale` times across and down.
    private func paletteIndices(scale: Int) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(PanelGeometry.width * PanelGeometry.height * scale * scale)
        for y in 0..<PanelGeometry.height {
            var line: [UInt8] = []
            for x in 0..<PanelGeometry.width {
                line.append(contentsOf: repeatElement(isLit(x: x, y: y) ? 1 : 0, count: scale))
            }
            for _ in 0..<scale { pixels.append(contentsOf: line) }
        }
        return pixels
    }

    private static func message(of image: png_image) -> String {
        withUnsafeBytes(of: image.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
