/// Plays a click, or two pulses for the last item of the list.
public struct Haptic: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "haptic" }

    /// Starts the pattern.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.board.play(watch.data.remaining == 0 ? .success : .click)
    }
}
