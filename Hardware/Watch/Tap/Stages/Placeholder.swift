/// Decides whether the placeholder of the empty list is shown once the row is gone.
public struct Placeholder: TapStage {
    /// "placeholder"
    public static var name: StaticString { "placeholder" }

    /// Shows or hides the placeholder.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.updatePlaceholder()
    }
}
