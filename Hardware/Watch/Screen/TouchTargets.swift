import WatchLink

/// The items whose rows are on the panel. The interrupt of a touch comes up to one scan of the touch controller after the finger.
/// The touch means the row that was there when the finger came down.
struct TouchTargets: BitwiseCopyable {
    /// The item that a touch means, and the index of its row when the finger came down.
    struct Target: BitwiseCopyable {
        var item: ItemID
        var row: Int
    }

    /// The most rows on any panel. More than `RowGeometry.rowsVisible`, for a taller panel or a smaller font.
    static var capacity: Int { 10 }

    private let items: FixedArray<UInt32>
    private var count: UInt8 = 0
    private var firstRow: UInt8 = 0
    /// The time since which these rows are on the panel; nil if they are not on it yet.
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

    /// What a touch of the row at `position` means; nil if there is no row. Position 0 is under the title bar.
    func target(at position: Int) -> Target? {
        guard position >= 0, position < Int(count) else { return nil }
        return Target(item: ItemID(items[position]), row: Int(firstRow) + position)
    }
}
