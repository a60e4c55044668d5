import Testing
import Watch

@testable import DeviceModel

@Suite struct FrameDifferenceTests {
    /// A frame with these pixels lit.
    private func frame(_ pixels: [(x: Int, y: Int)]) throws -> PanelFrame {
        var bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
        for (x, y) in pixels { bytes[y * PanelGeometry.bytesPerLine + x / 8] |= 0x80 >> UInt8(x % 8) }
        return try PanelFrame(bytes: bytes)
    }

    @Test func `Equal frames have none`() throws {
        #expect(FrameDifference(from: patternedFrame(), to: patternedFrame()) == nil)
    }

    @Test func `The pixels that differ are counted, and the box around them is told`() throws {
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
