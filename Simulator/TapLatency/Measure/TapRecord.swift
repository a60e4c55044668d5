import DeviceModel
import Watch
import WatchLink

struct TapRecord: Sendable {
    /// The time to each mark that was reached, in the order of `LatencyMark.allCases`.
    var marks: [Microseconds?]
    /// What the manual of the processor's core leaves open of each of these times; nil where the machine code was not executed.
    var margins: [TimeMargin?]
    /// The stages in the order in which they ran.
    var stages: [StageSpan]
    /// How many of them ran in the handler itself.
    var immediateStages: Int
    /// Lines that were sent until the row was struck; nil where it was not.
    var updateLines: Int?
    /// Lines that were sent as the row went; nil where it stayed.
    var removalLines: Int?

    /// From the finger on the panel to the touch interrupt.
    var interrupt: Microseconds
    /// From the finger until the struck row is seen, where it was struck.
    var light: Microseconds?
    /// From the finger until the haptic is felt, where there was one.
    var felt: Microseconds?

    func time(to mark: LatencyMark) -> Microseconds? {
        LatencyMark.allCases.firstIndex(of: mark).flatMap { marks[$0] }
    }
}

/// Follows one tap through the snapshots of its watch: how many lines went to the panel for what, and what it showed.
struct TapObserver {
    /// When the finger came down.
    let finger: Instant
    private let touched: Instant
    /// What was open of the watch's time when the finger came down.
    let margin: TimeMargin
    private let linesAtTouch: Int
    private var lines: Int
    private var linesBeforeRemoval: Int
    private(set) var history: TapHistory?
    private(set) var updateLines: Int?
    private(set) var removalLines: Int?
    private(set) var updatedFrame: PanelFrame?
    /// Whether the row was struck through when the panel was updated.
    private(set) var updatedRow = RowState.waiting
    /// The panel when the row had gone and the list was empty.
    private(set) var emptyList: PanelFrame?
    /// What the watch showed when the handler and all that it had put off was done.
    var done: (screen: ScreenDescription, frame: PanelFrame)?

    init(finger: Instant, touchedAt touched: Instant, lines: Int, margin: TimeMargin = .none) {
        self.finger = finger
        self.margin = margin
        self.touched = touched
        self.lines = lines
        linesAtTouch = lines
        linesBeforeRemoval = lines
    }

    var wasStruck: Bool { updatedRow == .struck }

    /// Whether the row is gone.
    var isSettled: Bool { removalLines != nil }

    /// Looks at the watch after a step of its program.
    mutating func see(_ snapshot: borrowing WatchSnapshot, numbersAfter last: UInt32) {
        lines = snapshot.output.work.panelLines
        guard let history = snapshot.output.taps.histories.last, history.tap.count > last else { return }
        self.history = history
        if updateLines == nil, history.time(of: .updated) != nil {
            updateLines = lines - linesAtTouch
            linesBeforeRemoval = lines
            updatedFrame = snapshot.frame
            updatedRow = showsStrike(snapshot) ? .struck : .waiting
        }
        if removalLines == nil {
            if history.time(of: .settled) != nil {
                removalLines = lines - linesBeforeRemoval
                if snapshot.description.rows.isEmpty { emptyList = snapshot.frame }
            } else if snapshot.time < touched + WatchLimits.struckRowHold || updateLines != nil && showsStrike(snapshot)
            {
                linesBeforeRemoval = lines
            }
        }
    }

    /// Whether the row is still on the list. Once it has left, its lines go to the panel a part at a time.
    private func showsStrike(_ snapshot: borrowing WatchSnapshot) -> Bool {
        snapshot.description.rows.contains { $0.state == .struck }
    }
}

extension MarkTimes {
    init(of records: [TapRecord]) {
        self.init()
        for mark in LatencyMark.allCases { self[mark] = Distribution(records.compactMap { $0.time(to: mark) }) }
    }
}
