import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Records an event of the runtime, and charges the time of the code that belongs to the event. Charges a stage's time
    /// after the stage's beginning is recorded, so that the stage's duration includes it.
    public func trace(_ event: TraceEvent) {
        if let control, let label = event.label { control.happened(label) }
        switch event {
        case .mark(let mark, let tap, let time):
            let margin = profile.processor.margin(of: output.work)
            output.change(tap) { $0.reached(mark, at: time, margin) }
            if mark == .touch { output.beginTap(inputs.taken) }
            reached(mark)
        case .stageBegan(let name, let tap, let time): beginStage(name.stageName, tap, at: time)
        case .stageEnded(let name, let tap, let time): endStage(name.stageName, tap, at: time)
        case .screenChanged(let time):
            output.enter(event)
            output.touchableFrom = time + profile.touch.longestWait
        case .moment, .journalFailed:
            output.enter(event)
        }
    }

    private func beginStage(_ name: String, _ tap: TapNumber, at time: Instant) {
        output.change(tap) { $0.stageBegan(name, at: time, instructionCount(of: name)) }
        stageStarts.append(output.work)
        execute(name) { $0.stages[name] }
    }

    /// Charges the time of work that belongs to no tap on a row. If the count table has no entry for the work, records the work
    /// as uncounted.
    public func began(_ work: MessageWork) {
        let title = work.title
        if let control { control.happened("\(title) began") }
        execute(title) { $0.messages[title] }
    }

    /// Ends a single step of the clock, if one is in progress. Charges no time, because the call of `began` has charged
    /// the work's time.
    public func ended(_ work: MessageWork) {
        if let control { control.happened("\(work.title) ended") }
    }

    /// Charges the time of a part of the handler's code. If the count table has no entry for that part, adds `title`, the
    /// part's name, to `output.uncounted`.
    private func execute(_ title: String, _ part: (CountTable) -> CodeCount?) {
        if let count = part(counts) {
            execute { _ in count }
        } else if output.uncounted.insert(title).inserted {
            output.revision += 1
        }
    }

    private func endStage(_ name: String, _ tap: TapNumber, at time: Instant) {
        output.endStage(name, tap, at: time, since: stageStarts.popLast())
        execute { $0[.between] }
        drawing.follow(.stage)
    }

    private func instructionCount(of stage: String) -> InstructionCount {
        counts.stages[stage] == nil ? .notCounted : .counted
    }

    private func reached(_ mark: TapMark) {
        switch mark {
        case .touch: execute { $0[.touch] + ($0.aroundStages[.immediate] ?? .zero) }
        case .handled: drawing.follow(.stage)
        case .updated: execute { $0.aroundStages[.deferred] ?? .zero }
        case .settled, .durable, .sent, .committed, .acknowledged: break
        }
    }
}

extension TraceEvent {
    /// The event's name, if the event ends a single step of the clock. Nil for other events.
    fileprivate var label: String? {
        switch self {
        case .stageBegan(let name, _, _): "\(name.stageName) began"
        case .stageEnded(let name, _, _): "\(name.stageName) ended"
        case .mark(let mark, _, _): mark.label
        case .moment(let moment, _, _): moment.label
        case .screenChanged, .journalFailed: nil
        }
    }
}

extension TapMark {
    package static let all: [TapMark] = [
        .touch, .handled, .updated, .settled, .durable, .sent, .committed, .acknowledged,
    ]

    package var label: String {
        switch self {
        case .touch: "touch"
        case .handled: "handled"
        case .updated: "updated"
        case .settled: "settled"
        case .durable: "durable"
        case .sent: "sent"
        case .committed: "committed"
        case .acknowledged: "acknowledged"
        }
    }
}
