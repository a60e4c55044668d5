import Watch

extension SimulatedBoard where Flash: ~Copyable {
    /// Enters `event` into the tap histories, or counts it. What follows the event is charged after it, so that a stage's
    /// instructions lie between its beginning and its end.
    public func trace(_ event: TraceEvent) {
        output.enter(event)
        if let control, let label = event.label { control.happened(label) }
        switch event {
        case .mark(.touch, _, _):
            execute(instructions.touch)
        case .mark(.handled, _, _):
            drawing = .tap
        case .mark(.updated, _, _):
            drawing = .screen
        case .stageBegan(let name, _, _):
            stageStarts.append(output.work.spent)
            execute(instructions.stages[name.description] ?? 0)
        case .stageEnded(let name, let tap, _):
            guard let start = stageStarts.popLast() else { return }
            output.stageSpent(output.work.spent.since(start), name.description, tap: tap)
            execute(instructions.between)
        case .mark, .screenChanged, .journalFailed:
            break
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
    /// The mark in a word.
    public var label: String {
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
