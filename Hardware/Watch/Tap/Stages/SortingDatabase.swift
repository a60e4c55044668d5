/// Rewrites the order of the whole list in flash.
///
/// It is left over from a time when checked items moved to the bottom. The shipping handler does without it: a row that
/// goes leaves the order of the others as it was.
public struct SortingDatabase: TapStage {
    /// "sorting database"
    public static var name: StaticString { "sorting database" }

    /// Writes the order.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.rewriteSortingOrder()
    }
}
