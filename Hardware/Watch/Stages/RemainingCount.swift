/// Draws the number of remaining items in the title bar.
public struct RemainingCount: TapStage {
    /// "remaining count"
    public static var name: StaticString { "remaining count" }

    /// Draws the title bar, if the list is up.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.drawTitleBar(watch.data, watch.link.indicator)
    }
}
