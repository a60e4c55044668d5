/// The display: 144 x 168, one bit, of the Sharp memory-LCD class, whose smallest write is one line.
public protocol Panel: ~Copyable {
    /// Sends one line and returns when it is on the panel.
    ///
    /// - Parameters:
    ///   - line: 0 (top) to 167.
    ///   - pixels: 18 bytes, the leftmost pixel in the highest bit of the first; a set bit is lit (white), a clear one dark.
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>)
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
