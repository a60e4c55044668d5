/// Decides what stands in the list's place once the last row is gone: that everything is done.
public struct Placeholder: TapStage {
    /// "placeholder"
    public static var name: StaticString { "placeholder" }

    /// Shows the placeholder where no item waits any more, and hides it otherwise.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.setPlaceholder(watch.data.placeholder, rows: watch.data.items.count)
    }
}
