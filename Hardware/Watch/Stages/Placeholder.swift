/// Sets the placeholder for the list once the last row is gone: that everything is done.
public struct Placeholder: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "placeholder" }

    /// Sets the placeholder by what is left of the list.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.setPlaceholder(watch.data.placeholder, rows: watch.data.items.count)
    }
}
