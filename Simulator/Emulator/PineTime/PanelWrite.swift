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

/// A write of pixels by the firmware: the pixels of one command to a colour panel, or one line of a memory panel. Clearing a
/// memory panel is also one write.
///
/// `first` and `last` are the cycles at which the first and the last pixel had passed the bus. For a memory panel's line,
/// `last` is the end of the byte that follows the pixels. A colour panel lights the pixels later: see `ColourPanel.scanOut`.
package struct PanelWrite: Equatable, Sendable {
    package struct Change: Equatable, Sendable {
        package var area: PanelArea
        package let first: UInt64
        package var last: UInt64
        /// A write may take several transfers. This digest covers only the transfers that changed a pixel. Always 0 for a
        /// memory panel.
        package var digest: UInt64 = 0
    }

    /// The area of the panel's memory that the firmware addressed; nil if all addresses are outside the memory.
    package let window: PanelArea?
    package let first: UInt64
    package var last: UInt64
    /// The number of pixels written, including those outside the panel's memory.
    package var pixels: Int
    package var change: Change?

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

package struct VisiblePicture: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// The pixels, line by line from the top. Each has 5 bits of red, 6 of green and 5 of blue.
    package let pixels: [UInt16]
    /// The level of the backlight, 0 to 7. A panel that reflects light always has 7.
    package let light: Int
}

/// A violation of a panel's datasheet by the firmware. The emulated panel works nevertheless.
package enum PanelMistake: Equatable, Sendable {
    /// A command came before the end of the pause that a reset, sleep-in or sleep-out requires.
    case earlyCommand(UInt8, at: UInt64, earliest: UInt64)
    case fastBus(at: UInt64)
}

extension PanelWrite {
    /// Returns the 64-bit hash FNV-1a (Fowler, Noll and Vo; RFC 9923).
    static func digest(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
