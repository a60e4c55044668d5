import HostSystem
import Watch

/// What the panel shows: 144 x 168 pixels of one bit, a set bit lit (white).
public struct PanelFrame: Sendable, Equatable {
    /// 3,024 bytes, line after line from the top, the leftmost pixel in the highest bit of a line's first byte.
    public private(set) var bytes: [UInt8]

    /// A dark panel.
    public init() {
        bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
    }

    /// A frame of these bytes, laid out as `bytes` says.
    ///
    /// - Throws: `.malformedImage` when there are not 3,024 of them.
    public init(bytes: [UInt8]) throws(DeviceModelError) {
        guard bytes.count == PanelGeometry.bytesPerFrame else {
            throw .malformedImage("\(CountText(bytes.count, "byte")) instead of \(PanelGeometry.bytesPerFrame)")
        }
        self.bytes = bytes
    }

    /// Whether the pixel is lit. Those outside the panel are dark.
    public func isLit(x: Int, y: Int) -> Bool {
        guard (0..<PanelGeometry.width).contains(x), (0..<PanelGeometry.height).contains(y) else { return false }
        return bytes[y * PanelGeometry.bytesPerLine + x / 8] & (0x80 >> UInt8(x % 8)) != 0
    }

    /// The 18 bytes of `line`, 0 to 167.
    public func line(_ line: Int) -> ArraySlice<UInt8> {
        bytes[line * PanelGeometry.bytesPerLine..<(line + 1) * PanelGeometry.bytesPerLine]
    }

    /// Replaces the pixels of `line`. A line outside the panel, or of another length, is ignored, as the panel does.
    public mutating func setLine(_ line: Int, to pixels: Span<UInt8>) {
        guard (0..<PanelGeometry.height).contains(line), pixels.count == PanelGeometry.bytesPerLine else { return }
        let start = line * PanelGeometry.bytesPerLine
        for index in pixels.indices { bytes[start + index] = pixels[index] }
    }
}
