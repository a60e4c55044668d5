import Watch

extension SimulatedBoard where Flash: ~Copyable {
    /// Puts one line into the frame. Lines outside the panel, or of another length than 18 bytes, are ignored.
    public func writeLine(_ line: Int, pixels: Span<UInt8>) {
        charge(timing.panelLine)
        output.writeLine(line, pixels: pixels)
    }
}
