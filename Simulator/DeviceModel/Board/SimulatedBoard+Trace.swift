import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Enters `event` into the tap histories, or counts it. What follows the event is charged after it, so that a stage's
    /// instructions lie between its beginning and its end.
    public func trace(_ event: TraceEvent) {
        if let control, let label = event.label { control.happened(label) }
        switch event {
        case .mark(let mark, _, _):
            output.enter(event)
            reached(mark)
        case .stageBegan(let name, let tap, let time):
            let count = instructions.stages[name.description]
            output.change(tap) { $0.stageBegan(name.description, at: time, count == nil ? .notCounted : .counted) }
            stageStarts.append(output.work.spent)
            if let count { execute(count) }
        case .stageEnded(let name, let tap, let time):
            let spent = stageStarts.popLast().map { output.work.spent.since($0) }
            output.change(tap) { $0.stageEnded(name.description, at: time) { $0.spent = spent } }
            execute(instructions.between)
        case .screenChanged(let time):
            output.enter(event)
            output.touchableFrom = time + profile.touch.scanInterval
        case .journalFailed:
            output.enter(event)
        }
    }

    private func reached(_ mark: TapMark) {
        switch mark {
        case .touch: execute(instructions.touch)
        case .handled: drawing = .tap
        case .updated: drawing = .screen
        case .settled, .durable, .sent, .committed, .acknowledged: break
        }
    }
}

extension TraceEvent {
    /// What has happened, where it ends a single step.
    fileprivate var label: String? {
        switch self {
        case .stageBegan(let name, _, _): "\(name) began"
        case .stageEnded(let name, _, _): "\(name) ended"
        case .mark(let mark, _, _): mark.label
        case .screenChanged, .journalFailed: nil
        }
    }
}

extension TapMark {
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
