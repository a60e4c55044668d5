import Testing
import Watch

@testable import DeviceModel

@Suite struct PanelFramePNGTests {
    @Test(arguments: [1, 2, 3]) func `libpng reads the same pixels`(scale: Int) throws {
        let frame = patternedFrame()
        let image = try PortableNetworkGraphics.picture(in: try frame.portableNetworkGraphics(scale: scale))
        #expect(image.size.width == PanelGeometry.width * scale)
        #expect(image.size.height == PanelGeometry.height * scale)
        let expected = (0..<image.size.height).flatMap { y in
            (0..<image.size.width).map { x in frame.isLit(x: x / scale, y: y / scale) ? 255 as UInt8 : 0 }
        }
        #expect(image.pixels == expected)
    }

    @Test func `It takes one bit a pixel`() throws {
        let file = try PanelFrame().portableNetworkGraphics()
        // The bit depth stands behind signature (8), length and type (8), width and height (8).
        #expect(file[24] == 1)
    }

    @Test func `The scale is kept within 1 to 16`() throws {
        #expect(try width(scale: 0) == 144)
        #expect(try width(scale: 99) == 144 * 16)
    }

    private func width(scale: Int) throws -> Int {
        try PortableNetworkGraphics.picture(in: try PanelFrame().portableNetworkGraphics(scale: scale)).size.width
    }
}
