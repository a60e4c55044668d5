/// Strikes through the row's title, on the panel and in every later drawing: the wearer's feedback for the tap.
public struct StrikeThrough: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "strike-through" }

    /// Draws two lines and marks the row as struck.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        let width = watch.data.items.strike(row: row)
        watch.display.strike(row: row, width: width)
    }
}
