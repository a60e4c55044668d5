import WatchLink

struct ListRow: Sendable, BitwiseCopyable {
    var title: ItemTitle
    var state: RowState
}

/// The source of the rows that the list screen draws.
protocol ListRows: ~Copyable {
    var rowCount: Int { get }

    /// The row at `index` (0 ..< `rowCount`), in the order of the list.
    func row(at index: Int) -> ListRow
}

/// How a row of the list shows its title.
public enum RowState: UInt8, Sendable, BitwiseCopyable {
    /// Plain: the item is not checked off.
    case waiting = 0
    /// Struck through: the item has just been checked off.
    case struck = 1
}
