/// Checks the item off in the list, unless the phone has removed it meanwhile: it no longer counts as remaining. The
/// panel does not change.
public struct ListModel: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "list model" }

    /// Marks the item in its row as checked off.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        watch.data.items.checkOff(row: row)
    }
}
