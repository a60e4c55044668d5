import Testing
import Watch

@testable import DeviceModel

@Suite struct PanelFrameTests {
    @Test func `A new frame is dark`() {
        let frame = PanelFrame()
        #expect(frame.bytes.count == PanelGeometry.bytesPerFrame)
        #expect(frame.bytes.allSatisfy { $0 == 0 })
    }

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

/// A frame in which no line, column or byte is like its neighbours.
func patternedFrame() -> PanelFrame {
    var frame = PanelFrame()
    for line in 0..<PanelGeometry.height {
        let pixels = (0..<PanelGeometry.bytesPerLine).map { UInt8(truncatingIfNeeded: (line * 18 + $0) * 37 + line) }
        frame.setLine(line, to: pixels.span)
    }
    return frame
}
