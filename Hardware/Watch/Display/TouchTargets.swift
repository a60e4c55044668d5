import WatchLink

/// Which items' rows are on the panel, and since when.
///
/// A touch counts for the row that was on the panel when the finger came down. Where the rows have moved between the
/// interrupt and its handling, that is the arrangement before the current one.
struct TouchTargets: BitwiseCopyable {
    /// A row on the panel: its item, and the row's number in the list at the time.
    struct Target: BitwiseCopyable {
        var item: ItemID
        var row: Int
    }

    /// Rows that fit on the panel, see `RowGeometry`; room for a taller panel or a smaller font.
    static var capacity: Int { 10 }

    private let items: FixedArray<UInt32>
    private var count: UInt8 = 0
    private var firstRow: UInt8 = 0
    /// When these rows came onto the panel.
    var shownSince = Instant.start

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { TouchTargets.capacity * 4 }

    /// No rows, with memory for some taken from `arena`.
    init(arena: inout MemoryArena) {
        items = arena.take(TouchTargets.capacity, of: 0)
    }

    /// Takes the rows of `list` from `firstRow` on, as many as fit, for those on the panel.
    mutating func show(_ list: borrowing ItemList, firstRow: Int, rows: Int) {
        let shown = max(0, min(TouchTargets.capacity, min(rows, list.count - firstRow)))
        for position in 0..<shown { items[position] = list[firstRow + position].id.rawValue }
        count = UInt8(truncatingIfNeeded: shown)
        self.firstRow = UInt8(truncatingIfNeeded: firstRow)
    }

    /// Whether these are the rows of `list` from `firstRow` on.
    func areRows(of list: borrowing ItemList, firstRow: Int, rows: Int) -> Bool {
        let shown = max(0, min(TouchTargets.capacity, min(rows, list.count - firstRow)))
        guard shown == Int(count), firstRow == Int(self.firstRow) else { return false }
        for position in 0..<shown where items[position] != list[firstRow + position].id.rawValue { return false }
        return true
    }

    /// No row is on the panel.
    mutating func showNone() {
        count = 0
    }

    /// The target at a position on the panel, 0 being the row below the title bar.
    func target(at position: Int) -> Target? {
        guard position >= 0, position < Int(count) else { return nil }
        return Target(item: ItemID(items[position]), row: Int(firstRow) + position)
    }
}
