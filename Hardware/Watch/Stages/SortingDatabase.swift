/// Rewrites the order of the whole list in flash.
///
/// It is left over from a time when checked items moved to the bottom. The shipping handler does without it: a row that
/// goes leaves the order of the others as it was.
public struct SortingDatabase: TapStage {
    /// "sorting database"
    public static var name: StaticString { "sorting database" }

    /// Writes the numbers of all items in their order, in records of 64.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var row = 0
        repeat {
            watch.store.keep(.order(from: row), of: &watch.data, on: &watch.board)
            row = watch.data.endOfOrder(from: row)
        } while row < watch.data.items.count
    }
}

/// Writes the change of the order alone: the item that was checked off.
///
/// It is what the order costs at the least, if it is to be kept at all.
public struct IncrementalSortingDatabase: TapStage {
    /// "sorting database"
    public static var name: StaticString { SortingDatabase.name }

    /// Writes the item's number.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.store.keep(.orderChange(tap.item), of: &watch.data, on: &watch.board)
    }
}
