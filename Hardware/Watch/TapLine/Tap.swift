import WatchLink

/// A tap on a row: what the stages of a handler work on.
///
/// 17 bytes, for the queue holds 32 of them: the fields are in the order that leaves no gaps.
public struct Tap: Sendable, BitwiseCopyable {
    /// The tap's number, which its marks carry.
    public let number: TapNumber
    /// The item whose row was on the panel when the finger came down.
    public let item: ItemID
    /// When the finger came down. `BoardClock.calendar(at:)` has the wall clock of that time, which takes a division or four:
    /// nothing to do before the panel is updated.
    public let touchedAt: Instant
    private let rowByte: UInt8

    /// A tap on the item in `row`, 0 to 128.
    init(number: TapNumber, item: ItemID, row: Int, touchedAt: Instant) {
        self.number = number
        self.item = item
        self.touchedAt = touchedAt
        rowByte = UInt8(truncatingIfNeeded: row)
    }

    /// The item's row in the list at that moment. The row may have moved since: it is where to look first.
    public var row: Int { Int(rowByte) }
}
