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

    private var items: InlineArray<10, UInt32>
    private var count: UInt8
    private var firstRow: UInt8
    private(set) var shownSince: Instant

    /// No rows, on the panel since `instant`.
    init(shownSince instant: Instant = .start) {
        items = InlineArray(repeating: 0)
        count = 0
        firstRow = 0
        shownSince = instant
    }

    /// The rows of `list` from `firstRow` on, as many as fit, on the panel since `instant`.
    init(_ list: borrowing ItemList, firstRow: Int, rows: Int, shownSince instant: Instant) {
        self.init(shownSince: instant)
        let shown = max(0, min(TouchTargets.capacity, min(rows, list.count - firstRow)))
        for position in 0..<shown { items[position] = list[firstRow + position].id.rawValue }
        count = UInt8(truncatingIfNeeded: shown)
        self.firstRow = UInt8(truncatingIfNeeded: firstRow)
    }

    /// The target at a position on the panel, 0 being the row below the title bar.
    func target(at position: Int) -> Target? {
        guard position >= 0, position < Int(count) else { return nil }
        return Target(item: ItemID(items[position]), row: Int(firstRow) + position)
    }
}
