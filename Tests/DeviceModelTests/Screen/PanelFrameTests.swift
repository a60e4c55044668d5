import TestDoubles
import Testing
import Watch

@testable import DeviceModel

@Suite struct PanelFrameTests {
    @Test func `The leftmost pixel is the highest bit of a line's first byte`() {
        var frame = PanelFrame()
        var pixels = [UInt8](repeating: 0, count: PanelGeometry.bytesPerLine)
        pixels[0] = 0x80
        pixels[17] = 0x01
        frame.setLine(5, to: pixels.span)
        #expect(frame.isLit(x: 0, y: 5))
        #expect(!frame.isLit(x: 1, y: 5))
        #expect(frame.isLit(x: 143, y: 5))
        #expect(!frame.isLit(x: 0, y: 4))
        #expect(Array(frame.line(5)) == pixels)
    }

    @Test func `Pixels outside the panel are dark`() {
        let frame = patternedFrame()
        for (x, y) in [(-1, 0), (144, 0), (0, -1), (0, 168)] { #expect(!frame.isLit(x: x, y: y)) }
    }

    @Test func `Lines outside the panel or of another length are ignored`() {
        var frame = PanelFrame()
        let line = [UInt8](repeating: 0xFF, count: PanelGeometry.bytesPerLine)
        frame.setLine(-1, to: line.span)
        frame.setLine(168, to: line.span)
        frame.setLine(0, to: line.span.extracting(first: 17))
        #expect(frame == PanelFrame())
    }

    @Test func `A frame has exactly 3,024 bytes`() {
        #expect(throws: DeviceModelError.malformedImage("3 bytes instead of 3024")) {
            try PanelFrame(bytes: [1, 2, 3])
        }
    }
}

/// Returns a frame in which each line, column and byte differs from its neighbours.
func patternedFrame() -> PanelFrame {
    var frame = PanelFrame()
    for line in 0..<PanelGeometry.height {
        let pixels = (0..<PanelGeometry.bytesPerLine).map { UInt8(truncatingIfNeeded: (line * 18 + $0) * 37 + line) }
        frame.setLine(line, to: pixels.span)
    }
    return frame
}

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
        // The bit depth follows the signature (8 bytes), length and type (8), width and height (8).
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

@Suite struct FrameDifferenceTests {
    private func frame(_ pixels: [(x: Int, y: Int)]) throws -> PanelFrame {
        var bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
        for (x, y) in pixels { bytes[y * PanelGeometry.bytesPerLine + x / 8] |= 0x80 >> UInt8(x % 8) }
        return try PanelFrame(bytes: bytes)
    }

    @Test func `The pixels that differ are counted, and the box around them is told`() throws {
        #expect(FrameDifference(from: patternedFrame(), to: patternedFrame()) == nil)
        let difference = try #require(
            FrameDifference(from: frame([(3, 5), (20, 9), (7, 7)]), to: frame([(143, 6), (7, 7)])))
        #expect("\(difference)" == "3 pixels that differ, x 3 to 143, y 5 to 9")
        let one = try #require(FrameDifference(from: frame([]), to: frame([(0, 167)])))
        #expect("\(one)" == "1 pixel that differs, x 0 to 0, y 167 to 167")
    }

    @Test func `The picture of it tells four kinds of pixels apart`() throws {
        let difference = try #require(FrameDifference(from: frame([(0, 0), (1, 0)]), to: frame([(0, 0), (2, 0)])))
        let picture = try PortableNetworkGraphics.picture(in: try difference.portableNetworkGraphics())
        #expect(picture.size == PictureSize(width: 4 * PanelGeometry.width, height: 4 * PanelGeometry.height))
        let pixels = (0..<4).map { picture.pixels[2 * picture.size.width + 4 * $0 + 1] }
        #expect(Set(pixels).count == 4)
        #expect(pixels[3] == 0)
    }

    @Test func `What is written is read again, and nothing of another size`() throws {
        let frame = patternedFrame()
        #expect(try PanelFrame(portableNetworkGraphics: try frame.portableNetworkGraphics()) == frame)
        #expect(throws: DeviceModelError.malformedImage("288 x 336 pixels instead of 144 x 168")) {
            try PanelFrame(portableNetworkGraphics: try frame.portableNetworkGraphics(scale: 2))
        }
        #expect(throws: DeviceModelError.self) { try PanelFrame(portableNetworkGraphics: Array("text".utf8)) }
    }
}
