import WatchLink

/// A tap on a row, for the stages of a handler.
///
/// The order of the fields leaves no gaps: 17 bytes, and the queue holds 32 of them.
public struct Tap: Sendable, BitwiseCopyable {
    /// The tap's number in its trace events.
    public let number: TapNumber
    /// The item whose row was touched.
    public let item: ItemID
    /// When the finger lifted, which is when the tap acts. `BoardClock.calendar(at:)` has the local time of it, at the cost of a few divisions,
    /// which a stage should not spend before the update of the panel.
    public let touchedAt: Instant
    private let rowByte: UInt8

    init(number: TapNumber, item: ItemID, row: Int, touchedAt: Instant) {
        self.number = number
        self.item = item
        self.touchedAt = touchedAt
        rowByte = UInt8(truncatingIfNeeded: row)
    }

    /// The item's row in the list at that time, 0 to 128. The row may have moved since.
    public var row: Int { Int(rowByte) }
}
