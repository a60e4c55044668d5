/// The display: 144 x 168, one bit, of the Sharp memory-LCD class, whose smallest write is one line.
///
/// Lines are handed over in runs. A board whose bus is fed by a DMA engine returns from `writeLine` while the line is still on
/// its way, so that the processor works on the next one meanwhile; `finishLines` is where it waits.
public protocol Panel: ~Copyable {
    /// Announces a run of lines.
    ///
    /// - Parameter count: how many lines follow before `finishLines`, 1 to 168.
    mutating func beginLines(_ count: Int)

    /// Hands one line over. The pixels are not needed any more when it returns; the line may reach the panel later, and
    /// lines reach it in the order in which they were handed over.
    ///
    /// - Parameters:
    ///   - line: 0 (top) to 167.
    ///   - pixels: 18 bytes, the leftmost pixel in the highest bit of the first; a set bit is lit (white), a clear one dark.
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>)

    /// Ends a run: returns when its last line is on the panel.
    mutating func finishLines()
}

/// A panel on which a line is as soon as it was handed over has nothing to do around a run.
extension Panel where Self: ~Copyable {
    /// Does nothing.
    public mutating func beginLines(_ count: Int) {}

    /// Does nothing.
    public mutating func finishLines() {}
}

/// The panel's measures.
public enum PanelGeometry {
    /// Pixels in a line.
    public static var width: Int { 144 }
    /// Lines from top to bottom.
    public static var height: Int { 168 }
    /// Bytes in a line, eight pixels each.
    public static var bytesPerLine: Int { 18 }
    /// Bytes in a frame.
    public static var bytesPerFrame: Int { 3_024 }
}
