import CPNG
import Testing
import Watch

@testable import DeviceModel

@Suite struct PanelFramePNGTests {
    @Test(arguments: [1, 2, 3])
    func `libpng reads the same pixels`(scale: Int) throws {
        let frame = patternedFrame()
        let image = try DecodedImage(try frame.portableNetworkGraphics(scale: scale))
        #expect(image.width == PanelGeometry.width * scale)
        #expect(image.height == PanelGeometry.height * scale)
        let expected = (0..<image.height).flatMap { y in
            (0..<image.width).map { x in frame.isLit(x: x / scale, y: y / scale) ? 255 as UInt8 : 0 }
        }
        #expect(image.pixels == expected)
    }

    @Test func `It takes one bit a pixel`() throws {
        let file = try PanelFrame().portableNetworkGraphics()
        // The bit depth stands behind signature (8), length and type (8), width and height (8).
        #expect(file[24] == 1)
    }

    @Test func `The scale is kept within 1 to 16`() throws {
        #expect(try DecodedImage(try PanelFrame().portableNetworkGraphics(scale: 0)).width == 144)
        #expect(try DecodedImage(try PanelFrame().portableNetworkGraphics(scale: 99)).width == 144 * 16)
    }
}

/// A PNG file as libpng reads it, a grey byte a pixel.
private struct DecodedImage {
    struct Unreadable: Error {}

    let width: Int
    let height: Int
    let pixels: [UInt8]

    init(_ file: [UInt8]) throws {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        guard png_image_begin_read_from_memory(&image, file, file.count) != 0 else { throw Unreadable() }
        image.format = 0
        var pixels = [UInt8](repeating: 0, count: Int(image.width * image.height))
        guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else { throw Unreadable() }
        width = Int(image.width)
        height = Int(image.height)
        self.pixels = pixels
    }
}
