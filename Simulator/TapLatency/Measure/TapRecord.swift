import DeviceModel
import Emulator
import Watch
import WatchLink

struct TapRecord: Sendable {
    /// The time from the touch interrupt to each mark, in the order of `LatencyMark.allCases`. Nil for a mark that the tap did
    /// not reach.
    var marks: [Microseconds?]
    /// The uncertainty of each time in `marks`. Nil for a mark that the tap did not reach. All are nil if no emulator executed
    /// the program.
    var margins: [TimeMargin?]
    var stages: [StageSpan]
    var immediateStages: Int
    /// The number of lines that the watch sent to the panel from the touch to the mark `updated`. Nil if the tap did not reach
    /// the mark.
    var updateLines: Int?
    /// The number of lines that the watch sent to the panel to remove the row. Nil if the row was not removed.
    var removalLines: Int?

    /// The delay of the touch interrupt after the finger comes down.
    var interrupt: Microseconds
    /// The time from when the finger comes down until the wearer sees the update. Nil if the tap did not update the panel.
    var light: Microseconds?
    /// The time from when the finger comes down until the wearer feels the haptic pattern. Nil if the tap played none.
    var felt: Microseconds?

    func time(to mark: LatencyMark) -> Microseconds? {
        LatencyMark.allCases.firstIndex(of: mark).flatMap { marks[$0] }
    }
}

struct TapObserver {
    let finger: Instant
    private let touched: Instant
    let margin: TimeMargin
    private let linesAtTouch: Int
    private var lines: Int
    private var linesBeforeRemoval: Int
    private(set) var history: TapHistory?
    private(set) var updateLines: Int?
    private(set) var removalLines: Int?
    private(set) var updatedFrame: PanelFrame?
    /// Whether the row was struck through when the tap reached the mark `updated`.
    private(set) var wasStruck = false
    /// The panel just after the tap removed the last row of the list. Nil if the tap removed no row, or if other rows remain.
    private(set) var emptyList: PanelFrame?
    /// The screen and the panel when all stages of the tap, including the deferred ones, have ended. Nil if the caller does not
    /// collect effects.
    var done: (screen: ScreenDescription, frame: PanelFrame)?

    init(finger: Instant, touchedAt touched: Instant, lines: Int, margin: TimeMargin = .none) {
        self.finger = finger
        self.margin = margin
        self.touched = touched
        self.lines = lines
        linesAtTouch = lines
        linesBeforeRemoval = lines
    }

    var isSettled: Bool { removalLines != nil }

    mutating func see(_ snapshot: borrowing WatchSnapshot, numbersAfter last: UInt32) {
        lines = snapshot.output.work.panelLines
        guard let history = snapshot.output.taps.histories.last, history.tap.count > last else { return }
        self.history = history
        if updateLines == nil, history.time(of: .updated) != nil {
            updateLines = lines - linesAtTouch
            linesBeforeRemoval = lines
            updatedFrame = snapshot.frame
            wasStruck = showsStrike(snapshot)
        }
        if removalLines == nil {
            if history.time(of: .settled) != nil {
                removalLines = lines - linesBeforeRemoval
                if snapshot.description.rows.isEmpty { emptyList = snapshot.frame }
            } else if snapshot.time < (history.time(of: .touch) ?? touched) + WatchLimits.struckRowHold
                || updateLines != nil && showsStrike(snapshot)
            {
                linesBeforeRemoval = lines
            }
        }
    }

    private func showsStrike(_ snapshot: borrowing WatchSnapshot) -> Bool {
        snapshot.description.rows.contains { $0.state == .struck }
    }
}

extension TapReport {
    init(
        handler: String, _ conditions: Conditions, _ records: [TapRecord], _ work: BoardWork, over length: Microseconds
    ) {
        let profile = conditions.profile
        let count = Double(records.count)
        let settling = records.filter { $0.time(to: .settled) != nil }
        self.init(
            handler: handler, profile: profile.name, profileNumbers: profile.numbers, items: conditions.items,
            database: conditions.listLength,
            taps: conditions.taps, seed: conditions.seed, marks: MarkTimes(of: records),
            bounds: TimeBounds(of: records), processor: conditions.processor.time, ownCode: conditions.ownCode.count,
            ownCodeReason: conditions.ownCode.reason, ownTime: conditions.ownTime,
            stages: StageReport.reports(of: records, under: conditions),
            dirtyLines: RedrawnLines(
                update: Double(records.reduce(0) { $0 + ($1.updateLines ?? 0) }) / count,
                removal: Double(settling.reduce(0) { $0 + ($1.removalLines ?? 0) }) / Double(max(settling.count, 1))),
            bytesOnAir: Double(work.radio.bytes) / count,
            charge: profile.chargeBeyondRest(of: work, over: length) / count,
            panelFloor: PanelFloor(
                updated: Distribution(records.compactMap(\.updateLines).map(profile.panel.time(lines:))),
                settled: Distribution(settling.compactMap(\.removalLines).map(profile.panel.time(lines:)))),
            senses: SensedTimes(
                interrupt: Distribution(records.map(\.interrupt)), light: Distribution(records.compactMap(\.light)),
                felt: Distribution(records.compactMap(\.felt))),
            assumptions: profile.assumptions)
    }
}

extension TapReport {
    mutating func take(_ spending: MachineSpending, since before: MachineSpending) {
        for stage in spending.stages {
            guard let index = stages.firstIndex(where: { $0.name == stage.name && $0.placement == stage.placement })
            else { continue }
            stages[index].code = stage.calls
        }
        aroundStages = spending.aroundStages(since: before)
    }
}

extension DeviceProfile {
    /// Returns the battery charge of `work` in microcoulombs. Leaves out the connection events that an idle watch has
    /// during `length`.
    fileprivate func chargeBeyondRest(of work: BoardWork, over length: Microseconds) -> Double {
        var active = work
        active.radio.events = max(0, active.radio.events - radio.idleEvents(in: length))
        return energy.charge(of: active)
    }
}

extension BoardWork {
    func since(_ earlier: BoardWork) -> BoardWork {
        var rest = self
        rest.spent = spent.since(earlier.spent)
        rest.instructions -= earlier.instructions
        rest.cycles -= earlier.cycles
        rest.fewestCycles -= earlier.fewestCycles
        rest.mostCycles -= earlier.mostCycles
        rest.panelLines -= earlier.panelLines
        rest.pagePrograms -= earlier.pagePrograms
        rest.programming = programming - earlier.programming
        rest.sectorErases -= earlier.sectorErases
        rest.hapticPatterns -= earlier.hapticPatterns
        rest.radio.events -= earlier.radio.events
        rest.radio.bytesSent -= earlier.radio.bytesSent
        rest.radio.bytesReceived -= earlier.radio.bytesReceived
        rest.radio.packets -= earlier.radio.packets
        rest.radio.payloadOnAir -= earlier.radio.payloadOnAir
        return rest
    }
}

extension StageReport {
    static func reports(of records: [TapRecord], under conditions: Conditions) -> [StageReport] {
        var runs: [(first: StageSpan, placement: StagePlacement, spans: [StageSpan])] = []
        for record in records {
            for (index, span) in record.stages.enumerated() where span.duration != nil {
                let placement: StagePlacement = index < record.immediateStages ? .immediate : .deferred
                if let place = runs.firstIndex(where: { $0.first.name == span.name && $0.placement == placement }) {
                    runs[place].spans.append(span)
                } else {
                    runs.append((span, placement, [span]))
                }
            }
        }
        return runs.compactMap { first, placement, spans in
            guard let time = Distribution(spans.compactMap(\.duration)) else { return nil }
            let bounds =
                conditions.processor.time == .executed ? TimeBounds(spans, on: conditions.profile.processor) : nil
            let spent = spans.compactMap(\.spent).reduce(TimeSpent()) { $0 + $1 }
            return StageReport(
                name: first.name, placement: placement, time: time, bounds: bounds,
                mean: TimeKinds(spent, over: spans.count), instructionCount: first.instructionCount)
        }
    }
}
