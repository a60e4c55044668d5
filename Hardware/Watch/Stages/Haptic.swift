/// Plays a click, or two pulses when it was the last item of the list.
public struct Haptic: TapStage {
    /// "haptic"
    public static var name: StaticString { "haptic" }

    /// Starts the haptic driver.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.board.play(watch.data.remaining == 0 ? .success : .click)
    }
}
