import Watch

/// The cycles that a watch has spent so far, by stage and function.
package struct MachineSpending: Sendable {
    package struct Stage: Equatable, Sendable {
        package var name: String
        package var placement: StagePlacement
        package var calls: CallProfile
    }

    let tree: CallTree
    let ledger: StageLedger
    let functions: FunctionTable

    package var stages: [Stage] {
        ledger.entries.map { stage, spent in
            Stage(name: stage.name, placement: stage.placement, calls: NamedCalls(tree, spent, functions).profile)
        }
    }

    package func aroundStages(since earlier: MachineSpending) -> CallProfile {
        let all = SpentByPlace(of: tree).since(SpentByPlace(of: earlier.tree))
        let inStages = ledger.inStages.since(earlier.ledger.inStages)
        return NamedCalls(tree, all.since(inStages), functions).profile
    }
}

/// The cycles of each stage, by function: the cycles in the program's call tree at the stage's end, minus the cycles in the
/// call tree at the stage's beginning. A call tree never loses a node.
struct StageLedger: Sendable {
    /// One entry for each stage. An entry is appended when its stage ends for the first time.
    private(set) var entries: [(stage: LabImage.Stage, spent: SpentByPlace)] = []
    /// The cycles in all stages together. If a stage runs a second stage, the cycles of the second stage count only once.
    private(set) var inStages = SpentByPlace()
    /// The running stages, outermost first. There are several if a stage itself runs stages.
    private var running: [(stage: LabImage.Stage, before: SpentByPlace)] = []
    /// The newest tap that has reached the mark `handled`. A stage of this tap that begins after the mark is deferred.
    private var handled: TapNumber?

    mutating func enter(_ event: TracedEvent, _ tree: CallTree) {
        switch event {
        case .stageBegan(let name, let tap):
            let stage = LabImage.Stage(name: name, placement: handled == tap ? .deferred : .immediate)
            running.append((stage, SpentByPlace(of: tree)))
        case .stageEnded(let name, _):
            guard let index = running.lastIndex(where: { $0.stage.name == name }) else { return }
            let run = running[index]
            running.removeSubrange(index...)
            let spent = SpentByPlace(of: tree).since(run.before)
            if let place = entries.firstIndex(where: { $0.stage == run.stage }) {
                entries[place].spent.add(spent)
            } else {
                entries.append((run.stage, spent))
            }
            if running.isEmpty { inStages.add(spent) }
        case .mark(.handled, let tap, _): handled = tap
        case .mark, .screenChanged, .moment, .journalFailed, .messageWork, .haptic, .input, .datagram, .beginLines,
            .line, .finishLines, .shownLines, .started, .stepping, .stepped, .described, .handler, .name, .named:
            break
        }
    }
}
