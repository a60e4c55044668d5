import WatchLink

/// The items whose rows the panel shows, or showed before the last change of rows. A touch controller reports a touch up to one
/// scan after the finger comes down. If the rows change in between, the touch belongs to the previous rows. So `Display` keeps
/// the targets of the present rows and of the previous rows.
struct TouchTargets: BitwiseCopyable {
    /// The item that the wearer touched, and the index of its row when the finger came down.
    struct Target: BitwiseCopyable {
        var item: ItemID
        var row: Int
    }

    /// The maximum number of rows. It exceeds `RowGeometry.rowsVisible`, so that a panel may be taller or a font smaller.
    static var capacity: Int { 10 }

    private let items: FixedArray<UInt32>
    private var count: UInt8 = 0
    private var firstRow: UInt8 = 0
    /// When the last line of these rows reached the panel; nil if the panel has not shown them yet.
    var shownSince: Instant?

    static var memorySize: Int { TouchTargets.capacity * 4 }

    init(arena: inout MemoryArena) {
        items = arena.take(TouchTargets.capacity, of: 0)
    }

    mutating func show(_ rows: ItemRows, firstRow: Int, visible: Int) {
        let shown = max(0, min(TouchTargets.capacity, min(visible, rows.rowCount - firstRow)))
        for position in 0..<shown { items[position] = rows[firstRow + position].id.rawValue }
        count = UInt8(truncatingIfNeeded: shown)
        self.firstRow = UInt8(truncatingIfNeeded: firstRow)
    }

    func areRows(_ rows: ItemRows, firstRow: Int, visible: Int) -> Bool {
        let shown = max(0, min(TouchTargets.capacity, min(visible, rows.rowCount - firstRow)))
        guard shown == Int(count), firstRow == Int(self.firstRow) else { return false }
        for position in 0..<shown where items[position] != rows[firstRow + position].id.rawValue {
            return false
        }
        return true
    }

    mutating func showNone() {
        count = 0
    }

    /// Returns the item whose row is at `position` on the panel; nil if there is no row. Position 0 is directly below the title
    /// bar.
    func target(at position: Int) -> Target? {
        guard position >= 0, position < Int(count) else { return nil }
        return Target(item: ItemID(items[position]), row: Int(firstRow) + position)
    }
}
