import DeviceModel
import Watch

/// Where a handler's stages lie in time when each begins as the one before it ends; means, in microseconds since the
/// touch.
struct StageTimeline: Equatable, Sendable {
    /// What is done at a time.
    enum Work: Equatable, Sendable {
        /// A stage of this name runs.
        case stage(String, StagePlacement)
        /// Dirty lines are on their way to the panel.
        case transfer
    }

    struct Span: Equatable, Sendable {
        let work: Work
        let begin: Double
        let kinds: TimeKinds
        /// Whether the time has the instructions that the stage executes.
        var instructionCount = InstructionCount.counted

        /// What is done, in a few words.
        var name: String {
            switch work {
            case .stage(let name, _): name
            case .transfer: "lines to the panel"
            }
        }

        var end: Double { begin + kinds.total }
    }

    /// In the order in which they run.
    let spans: [Span]
    /// When the panel is updated: the median; nil where no tap got so far.
    let updated: Double?

    /// The time line of a handler. What lies between its return and the update is the panel's.
    init(_ report: TapReport) {
        var spans: [Span] = []
        var now = 0.0
        func place(_ placement: StagePlacement) {
            for stage in report.stages where stage.placement == placement {
                spans.append(
                    Span(
                        work: .stage(stage.name, placement), begin: now, kinds: stage.mean,
                        instructionCount: stage.instructionCount))
                now += stage.mean.total
            }
        }
        place(.immediate)
        updated = report.marks.updated.map { Double($0.p50) }
        if let updated, let handled = report.marks.handled.map({ Double($0.p50) }) {
            // The stages' means may add up to more than the median of their sum.
            let span = Span(work: .transfer, begin: max(now, handled), kinds: TimeKinds(panel: updated - handled))
            spans.append(span)
            now = span.end
        }
        place(.deferred)
        self.spans = spans
    }

    func span(of stage: StageReport) -> Span? {
        spans.first { $0.work == .stage(stage.name, stage.placement) }
    }

    /// When the last of them ends.
    var end: Double { max(spans.last?.end ?? 0, updated ?? 0) }

    /// The span that takes longest; nil where none takes any time.
    var longest: Span? {
        spans.filter { $0.kinds.total > 0 }.max { $0.kinds.total < $1.kinds.total }
    }
}
