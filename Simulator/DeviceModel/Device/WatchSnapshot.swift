import Watch
import WatchLink

/// The state of a watch at one time, for a front end.
public struct WatchSnapshot: Sendable {
    /// The phase of the watch: running, stopped or failed.
    public enum Phase: Sendable, Equatable {
        case running
        /// A caller stopped the watch. No later snapshot follows.
        case stopped
        /// The watch's program ended by itself, for example after a crash. The reason is one line. No later snapshot follows.
        case failed(reason: String)
    }

    /// The snapshot's number. The snapshot of the first frame has number 1, and each later snapshot has the next number.
    public var number: UInt64 = 0
    /// The time of the snapshot on the watch's clock.
    public var time = Instant.start
    /// The phase of the watch: running, stopped or failed.
    public var phase = Phase.running
    /// The content of the screen as text.
    public var description = ScreenDescription()
    package var isPanelCurrent = true
    package var output = BoardOutput()
    /// The number of the newest handled input. The snapshot shows all immediate effects of that input.
    public var handled = InputNumber(0)

    package init() {}

    /// The pixels that the panel shows.
    public var frame: PanelFrame { output.frame }

    /// The histories of the last 64 taps, oldest first.
    public var taps: [TapHistory] { output.taps.histories }

    /// The haptic patterns since the watch started: the total number, and the last 64.
    public var haptics: HapticLog { output.haptics }

    /// The state of the link to the phone.
    public var link: ScreenDescription.Link { description.link }
}
