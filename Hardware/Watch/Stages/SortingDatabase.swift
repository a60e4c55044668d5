/// Rewrites the order of the whole list in flash, in records of 64 items.
///
/// It is left from a time when checked items moved to the bottom. The shipping handler has no such stage, because
/// removing a row does not change the order of the others.
public struct SortingDatabase: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "sorting database" }

    /// Appends the records of the order.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var row = 0
        repeat {
            watch.store.keep(.order(from: row), room: .made, of: &watch.data, on: &watch.board)
            row = watch.data.endOfOrder(from: row)
        } while row < watch.data.items.count
    }
}

/// Writes the change of the order alone, the item that was checked off: the least cost of storing the order.
public struct IncrementalSortingDatabase: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { SortingDatabase.name }

    /// Appends the record of the change.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.store.keep(.orderChange(tap.item), room: .made, of: &watch.data, on: &watch.board)
    }
}
