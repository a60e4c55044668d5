/// Checks the item off in the list: it no longer counts among those that remain. The panel does not change.
public struct ListModel: TapStage {
    /// "list model"
    public static var name: StaticString { "list model" }

    /// Checks the item off, if the phone has not taken it away meanwhile.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        watch.data.items.checkOff(row: row)
    }
}
