import WatchLink

/// What sending lines to the panel takes: bits over a serial bus.
public struct PanelCost: Sendable, Equatable {
    /// Bits a second on the panel's bus, 1,000 to 1,000,000,000; nil for a bus that takes no time.
    public var busHertz: Int?
    /// Bits of one line: its pixels and what frames them.
    public var bitsPerLine: Int
    /// Bits that are sent once for a run of lines: the mode or window before them, the trailer after them.
    public var bitsPerFlush: Int

    /// A panel of this format.
    public init(busHertz: Int?, bitsPerLine: Int, bitsPerFlush: Int) {
        self.busHertz = busHertz
        self.bitsPerLine = bitsPerLine
        self.bitsPerFlush = bitsPerFlush
    }

    /// What so many bits take, in whole microseconds; a rest is cut off.
    public func time(bits: Int) -> Microseconds {
        guard let busHertz else { return .zero }
        return Microseconds(UInt64(bits) * 1_000_000 / UInt64(busHertz))
    }

    /// What a run of so many lines takes by itself: the floor that nothing on this panel is faster than.
    public func time(lines: Int) -> Microseconds {
        lines == 0 ? .zero : time(bits: bitsPerFlush + lines * bitsPerLine)
    }
}
