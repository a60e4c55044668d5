import Watch
import WatchLink

/// What has come out of a board since it started: the picture, the haptic pulses and the runtime's own reports.
public struct BoardOutput: Sendable, Equatable {
    /// What the panel shows.
    public internal(set) var frame = PanelFrame()
    /// Lines that were sent to the panel.
    public internal(set) var linesWritten = 0
    /// The haptic patterns that were played.
    public internal(set) var haptics = HapticLog()
    /// The histories of the last taps.
    public internal(set) var taps = TapLog()
    /// How often the runtime said that its screen has changed.
    public internal(set) var screenChanges = 0
    /// The last failure of the flash journal, or nil when there was none.
    public internal(set) var journalFailure: JournalError?
    /// Counts up with every change of anything above, so that an observer sees that there is news.
    public internal(set) var revision: UInt64 = 0

    /// Nothing so far: a dark panel.
    public init() {}
}
