/// Plays a click, or two pulses for the last item of the list: the receipt of a tap. Place it after `PhoneMessage`, so
/// that what is felt is kept.
public struct Haptic: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "haptic" }

    /// Starts the pattern, except for a tap that was refused, which the wearer has felt as a failure.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        if watch.taps.isRefused(tap) { return }
        watch.board.play(watch.data.remaining == 0 ? .success : .click)
    }
}
