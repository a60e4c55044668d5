/// Pixels of a panel's memory.
package struct PanelArea: Equatable, Sendable {
    package var columns: ClosedRange<Int>
    package var rows: ClosedRange<Int>

    package init(columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        (self.columns, self.rows) = (columns, rows)
    }

    mutating func include(_ other: PanelArea) {
        columns = min(columns.lowerBound, other.columns.lowerBound)...max(columns.upperBound, other.columns.upperBound)
        rows = min(rows.lowerBound, other.rows.lowerBound)...max(rows.upperBound, other.rows.upperBound)
    }
}

/// Pixels that the firmware wrote with one command.
///
/// A pixel counts as written at the cycle at which its last bit has passed the bus. The panel lights it later: `scanOut` of the
/// colour panel.
package struct PanelWrite: Equatable, Sendable {
    /// The pixels that got another value.
    package struct Change: Equatable, Sendable {
        package var area: PanelArea
        package let first: UInt64
        package var last: UInt64
        /// Of the bytes of all pixels of the write.
        package var digest: UInt64 = 0
    }

    /// Nil if all of the window is outside the panel's memory.
    package let window: PanelArea?
    /// The cycle of the first pixel.
    package let first: UInt64
    /// The cycle of the last pixel.
    package var last: UInt64
    /// Pixels written, including those outside the panel's memory.
    package var pixels: Int
    /// Nil if no pixel got another value.
    package var change: Change?

    /// Adds the pixels of another transfer.
    mutating func add(_ other: PanelWrite) {
        last = other.last
        pixels += other.pixels
        guard let later = other.change else { return }
        guard var change else { return change = later }
        change.area.include(later.area)
        change.last = later.last
        change.digest = (change.digest ^ later.digest) &* 0x100_0000_01B3
        self.change = change
    }
}

/// What a panel shows.
package struct VisiblePicture: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// Line by line from the top. A pixel has 5 bits of red, 6 of green and 5 of blue.
    package let pixels: [UInt16]
    /// The level of the backlight, 0 to 7. A panel that reflects light always has 7.
    package let light: Int
}

/// What a firmware does to a panel although its datasheet forbids it. The panel works nevertheless.
package enum PanelMistake: Equatable, Sendable {
    /// A command came sooner than the panel's rest after a reset or a change of its sleep.
    case earlyCommand(UInt8, at: UInt64, earliest: UInt64)
    /// The bus is faster than the panel.
    case fastBus(at: UInt64)
}

extension PanelWrite {
    /// FNV-1a of 64 bits (Fowler, Noll and Vo; RFC 9923).
    static func digest(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
