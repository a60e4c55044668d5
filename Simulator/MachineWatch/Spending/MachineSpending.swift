import MachineCode
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
