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
/// A pixel counts as written when its last bit has passed the bus. A colour panel lights it later: see `scanOut`.
package struct PanelWrite: Equatable, Sendable {
    package struct Change: Equatable, Sendable {
        package var area: PanelArea
        package let first: UInt64
        package var last: UInt64
        /// One digest of the bytes of all transfers that changed a pixel.
        package var digest: UInt64 = 0
    }

    /// The part of the panel's memory that the command addressed; nil if all of it is outside the memory.
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
    /// The hash FNV-1a with 64 bits (Fowler, Noll and Vo; RFC 9923).
    static func digest(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
