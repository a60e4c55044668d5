/// Draws the number of remaining items into the title bar, if the list is up.
public struct RemainingCount: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "remaining count" }

    /// Draws the number into the framebuffer: what of the title bar changes with it.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.drawCount(watch.data, watch.link.indicator)
    }
}
