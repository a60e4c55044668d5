import WatchLink

/// One row of the list.
public struct ListRow: Sendable, BitwiseCopyable {
    /// What it says.
    public var title: ItemTitle
    /// Whether it is struck through.
    public var state: RowState

    /// A row that shows these.
    public init(title: ItemTitle, state: RowState) {
        self.title = title
        self.state = state
    }
}

/// What the list's appearance reads its rows from.
public protocol ListRows: ~Copyable {
    /// How many rows there are.
    var rowCount: Int { get }

    /// The row at `index`, which is in `0 ..< rowCount`, in the order of the list.
    func row(at index: Int) -> ListRow
}
