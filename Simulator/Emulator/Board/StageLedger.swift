import Watch

/// Where the cycles of a watch went until a moment, while its machine code is executed.
package struct MachineSpending: Sendable {
    /// What a stage has spent, over all of its runs.
    package struct Stage: Equatable, Sendable {
        package var name: String
        package var placement: StagePlacement
        package var calls: CallProfile
    }

    private let tree: CallTree
    private let ledger: StageLedger
    private let functions: FunctionTable

    init(tree: CallTree, ledger: StageLedger, functions: FunctionTable) {
        self.tree = tree
        self.ledger = ledger
        self.functions = functions
    }

    /// The stages that have run, in the order in which they ended first.
    package var stages: [Stage] {
        ledger.entries.map { entry in
            Stage(
                name: entry.stage.name, placement: entry.stage.placement,
                calls: CallProfile(tree, entry.spent, functions))
        }
    }

    /// What was spent in no stage since an earlier moment of the same watch.
    package func aroundStages(since earlier: MachineSpending) -> CallProfile {
        let all = SpentByPlace(of: tree).since(SpentByPlace(of: earlier.tree))
        let inStages = ledger.inStages.since(earlier.ledger.inStages)
        return CallProfile(tree, all.since(inStages), functions)
    }
}

/// What a program spends in each stage, function by function: entered when a stage begins and when it ends.
///
/// Functions are places in the program's call tree, which only grows: what a stage has spent is what every place has more than
/// when it began.
struct StageLedger: Sendable {
    /// A stage and where it ran.
    struct Stage: Equatable, Sendable {
        var name: String
        var placement: StagePlacement
    }

    /// What all runs of a stage have spent, by place.
    struct Entry: Sendable {
        let stage: Stage
        var spent = SpentByPlace()
    }

    private struct Run: Sendable {
        let stage: Stage
        /// What every place had spent when it began.
        let before: SpentByPlace
    }

    /// In the order in which they ended first.
    private(set) var entries: [Entry] = []
    /// What was spent in any stage; what a stage spends within another one is in it once.
    private(set) var inStages = SpentByPlace()
    /// Those that have begun and not ended: a stage that waits for the phone may serve another one meanwhile.
    private var running: [Run] = []
    /// The newest tap whose handler has returned: what runs of it after that was deferred.
    private var handled: TapNumber?

    /// Enters what the runtime reports, with what the program has spent until then.
    mutating func enter(_ trace: TraceCall, _ tree: CallTree) {
        switch trace {
        case .stageBegan(let name, let tap, _):
            let stage = Stage(name: name, placement: handled == tap ? .deferred : .immediate)
            running.append(Run(stage: stage, before: SpentByPlace(of: tree)))
        case .stageEnded(let name, _, _):
            guard let index = running.lastIndex(where: { $0.stage.name == name }) else { return }
            let run = running[index]
            running.removeSubrange(index...)
            let spent = SpentByPlace(of: tree).since(run.before)
            if let place = entries.firstIndex(where: { $0.stage == run.stage }) {
                entries[place].spent.add(spent)
            } else {
                entries.append(Entry(stage: run.stage, spent: spent))
            }
            if running.isEmpty { inStages.add(spent) }
        case .mark(.handled, let tap, _): handled = tap
        case .mark, .screenChanged, .moment, .journalFailed: break
        }
    }
}

/// What was spent at each place of a call tree, without what the functions called there have spent. Places behind the last one
/// have spent nothing.
struct SpentByPlace: Equatable, Sendable {
    private var amounts: [CallTree.Spent] = []

    /// Nothing anywhere.
    init() {}

    /// All that was spent so far.
    init(of tree: CallTree) {
        amounts = tree.nodes.map(\.own)
    }

    subscript(place: Int) -> CallTree.Spent { place < amounts.count ? amounts[place] : CallTree.Spent() }

    /// What was spent since an earlier moment of the same tree.
    func since(_ earlier: SpentByPlace) -> SpentByPlace {
        var rest = self
        for place in amounts.indices { rest.amounts[place] = amounts[place] - earlier[place] }
        return rest
    }

    mutating func add(_ other: SpentByPlace) {
        let missing = other.amounts.count - amounts.count
        if missing > 0 { amounts += [CallTree.Spent](repeating: CallTree.Spent(), count: missing) }
        for place in other.amounts.indices { amounts[place] += other.amounts[place] }
    }
}
