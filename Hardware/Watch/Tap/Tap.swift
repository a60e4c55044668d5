import WatchLink

/// A tap on a row: what the stages of a handler work on.
public struct Tap: Sendable, BitwiseCopyable {
    /// The tap's number, which its marks carry.
    public var number: TapNumber
    /// The item whose row was on the panel when the finger came down.
    public var item: ItemID
    /// The item's row in the list at that moment. The row may have moved since: it is where to look first.
    public var row: Int
    /// When the finger came down.
    public var touchedAt: Instant
    /// The wall clock at that time, where it was known.
    public var checkedAt: LocalTime?
}
