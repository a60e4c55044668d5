/// The display: 144 x 168, one bit, of the Sharp memory-LCD class, whose smallest write is one line.
///
/// The runtime sends lines in runs: `beginLines`, `writeLine` for each, `finishLines`. With a DMA engine, `writeLine`
/// returns while the line is still being sent, so that the processor can prepare the next one; `finishLines` waits.
public protocol Panel: ~Copyable {
    /// Announces a run of 1 to 168 lines.
    mutating func beginLines()

    /// Sends a line. The line may reach the panel after this returns, in the order of the calls; `pixels` is valid
    /// during the call alone.
    ///
    /// - Parameters:
    ///   - line: 0 (top) to 167.
    ///   - pixels: 18 bytes, the leftmost pixel in the highest bit of the first; a set bit is lit (white), a clear one
    ///     dark.
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>)

    /// Ends a run: returns when its last line is on the panel.
    mutating func finishLines()
}

/// For a panel that has a line when `writeLine` returns, a run needs no calls around it.
extension Panel where Self: ~Copyable {
    /// Does nothing.
    public mutating func beginLines() {}

    /// Does nothing.
    public mutating func finishLines() {}
}

/// The panel's dimensions.
public enum PanelGeometry {
    /// Pixels in a line.
    public static var width: Int { 144 }
    /// Lines from top to bottom.
    public static var height: Int { 168 }
    /// Bytes in a line, eight pixels each.
    public static var bytesPerLine: Int { 18 }
    /// Bytes in a picture: all lines.
    public static var bytesPerFrame: Int { 3_024 }
}
