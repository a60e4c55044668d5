/// Strikes the row's title through: what the wearer sees of the tap at once.
public struct StrikeThrough: TapStage {
    /// "strike-through"
    public static var name: StaticString { "strike-through" }

    /// Draws the strike over the row, and has every later drawing of the row show it.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        let width = watch.data.items.strike(row: row)
        watch.display.strike(row: row, width: width)
    }
}
