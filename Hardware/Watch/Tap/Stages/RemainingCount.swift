/// Draws the number of remaining items in the title.
public struct RemainingCount: TapStage {
    /// "remaining count"
    public static var name: StaticString { "remaining count" }

    /// Draws the title bar.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.drawTitleBar()
    }
}
