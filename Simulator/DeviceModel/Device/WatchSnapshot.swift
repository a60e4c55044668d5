import Watch
import WatchLink

/// A watch at one moment, for a front end.
public struct WatchSnapshot: Sendable {
    /// Whether the watch runs.
    public enum Phase: Sendable, Equatable {
        case running
        /// It was stopped; this is the last snapshot.
        case stopped
        /// The hardware under its program has ended by itself, for this reason (one line). This is the last snapshot.
        case failed(reason: String)
    }

    /// The snapshot's number, 1 for the first frame.
    public var number: UInt64 = 0
    /// The time of the snapshot, on the board's clock.
    public var time = Instant.start
    /// Whether the watch runs.
    public var phase = Phase.running
    /// The content of the screen.
    public var description = ScreenDescription()
    /// Whether the panel shows the rows that the description names. False while a struck row is held, and until every part of
    /// the screen was sent.
    package var isPanelCurrent = true
    package var output = BoardOutput()
    /// The newest handled input. This snapshot shows all of its immediate consequences.
    public var handled = InputNumber(0)

    package init() {}

    /// What the panel shows.
    public var frame: PanelFrame { output.frame }

    /// The histories of the last 64 taps, oldest first.
    public var taps: [TapHistory] { output.taps.histories }

    /// The haptic patterns that were played.
    public var haptics: HapticLog { output.haptics }

    /// The state of the link to the phone.
    public var link: ScreenDescription.Link { description.link }
}
