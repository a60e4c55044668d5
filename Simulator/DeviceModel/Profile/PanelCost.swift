import WatchLink

/// What sending lines to the panel takes: bits over a serial bus, and what follows until an eye sees them.
package struct PanelCost: Sendable, Equatable {
    /// Which bus the lines are sent over.
    package enum Bus: String, Sendable, CaseIterable {
        /// One of its own.
        case own
        /// That of the flash chip: one waits for the other.
        case sharedWithFlash = "shared with flash"
    }

    /// Where a line is longer than what a DMA engine sends at once.
    package struct Transfers: Sendable, Equatable {
        /// The most bytes of one transfer.
        package var mostBytes: Int
        /// From the end of one transfer of a line to the start of its next: the processor starts it in an interrupt.
        package var pause: Microseconds
    }

    /// Bits a second on the panel's bus, 1,000 to 1,000,000,000; nil for a bus that takes no time.
    package var busHertz: Int?
    /// Bits of one line: its pixels and what frames them.
    package var bitsPerLine: Int
    /// Bits that are sent once for a run of lines: the mode or window before them, the trailer after them.
    package var bitsPerFlush: Int
    /// Nil where a line is one transfer.
    package var transfers: Transfers?
    package var bus = Bus.own
    /// From one time that the panel shows its memory to the next; zero for a panel that shows a line as it is written.
    package var scanOut = Microseconds.zero
    /// What the pixels take to turn.
    package var light = Microseconds.zero

    /// The time of this number of bits, in whole microseconds, rounded down.
    package func time(bits: Int) -> Microseconds {
        guard let busHertz else { return .zero }
        return Microseconds(UInt64(bits) * 1_000_000 / UInt64(busHertz))
    }

    /// The time of a run of lines by itself: the lower bound for this panel.
    package func time(lines: Int) -> Microseconds {
        lines == 0 ? .zero : time(bits: bitsPerFlush + lines * bitsPerLine) + pauses(lines: lines)
    }

    /// When an eye sees what is in the panel's memory at `instant`: once the panel has shown it, and the pixels have turned.
    /// Its scans are counted from the start of the board.
    package func seen(after instant: Instant) -> Instant {
        guard scanOut > .zero else { return instant + light }
        let scans = (instant.microseconds + scanOut.count - 1) / scanOut.count
        return Instant(microseconds: scans * scanOut.count) + light
    }

    private func pauses(lines: Int) -> Microseconds {
        guard let transfers else { return .zero }
        let bytes = (bitsPerLine + 7) / 8
        let more = max(0, (bytes - 1) / transfers.mostBytes)
        return Microseconds(UInt64(more * lines) * transfers.pause.count)
    }
}
