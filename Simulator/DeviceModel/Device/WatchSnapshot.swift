import Watch
import WatchLink

/// A watch at one moment, for a front end.
public struct WatchSnapshot: Sendable {
    /// Whether the watch runs.
    public enum Phase: Sendable, Equatable {
        case running
        /// It was stopped; this is the last snapshot.
        case stopped
        /// The hardware under its program has ended by itself: why, in one line. This is the last snapshot.
        case failed(reason: String)
    }

    /// From 1 for the first frame.
    public var number: UInt64 = 0
    /// When it was taken, on the board's clock.
    public var time = Instant.start
    /// Whether the panel shows the rows that the description names.
    package enum PanelRows: Sendable {
        case current
        /// A struck row is held, or only a part of the screen was sent so far.
        case behind
    }

    /// Whether the watch runs.
    public var phase = Phase.running
    /// What the screen says.
    public var description = ScreenDescription()
    package var panelRows = PanelRows.current
    /// What has come out of the board: the picture, the haptic pulses, the taps.
    public var output = BoardOutput()
    /// The newest handled input: all of its immediate consequences are in this snapshot.
    public var handled = InputNumber(0)

    /// Nothing is known of the watch yet.
    public init() {}

    /// What the panel shows.
    public var frame: PanelFrame { output.frame }

    /// The histories of the last 64 taps, oldest first.
    public var taps: [TapHistory] { output.taps.histories }

    /// The haptic patterns that were played.
    public var haptics: HapticLog { output.haptics }

    /// How the link to the phone is.
    public var link: ScreenDescription.Link { description.link }
}
