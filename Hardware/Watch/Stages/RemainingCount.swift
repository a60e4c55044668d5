/// Draws the title bar with the number of remaining items, if the list is up.
public struct RemainingCount: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "remaining count" }

    /// Draws the title bar into the framebuffer.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.drawTitleBar(watch.data, watch.link.indicator)
    }
}
