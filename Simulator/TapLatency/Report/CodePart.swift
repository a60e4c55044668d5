import MachineWatch

/// A stage, or what runs around the stages, by the functions that its cycles went to.
package struct CodePart: Equatable, Sendable {
    package var name: String
    package var calls: CallProfile

    /// What a report calls the part that is in no stage.
    static let aroundStages = "around the stages"

    /// A function, and what it has spent itself.
    package struct Share: Equatable, Sendable {
        /// Its label; with those of its parameters, or with all that its name has, where another function of the part has the same.
        package var name: String
        package var cycles: Int
        /// Of the part's cycles, 0 to 1.
        package var share: Double
    }

    /// The functions that have spent most themselves, at most `count`.
    package func largest(_ count: Int) -> [Share] {
        let all = Double(max(calls.cycles, 1))
        let labels = calls.names.map { FunctionLabel($0) }
        let texts = Dictionary(labels.map { ($0.text, 1) }, uniquingKeysWith: +)
        let selectors = Dictionary(labels.map { ($0.selector, 1) }, uniquingKeysWith: +)
        func name(_ label: FunctionLabel) -> String {
            if texts[label.text] == 1 { return label.text }
            guard let selector = label.selector, selectors[selector] == 1 else { return label.whole }
            return selector
        }
        return zip(calls.functions, labels).prefix(count).filter { $0.0.ownCycles > 0 }.map { function, label in
            Share(
                name: name(label), cycles: function.ownCycles,
                share: Double(function.ownCycles) / all)
        }
    }
}

extension TapReport {
    /// The stages by their functions, in the order in which they ran; none where the machine code was not executed.
    package var codeOfStages: [CodePart] {
        stages.compactMap { stage in stage.functions.map { CodePart(name: stage.name, calls: $0) } }
    }

    /// The stages, and behind them what runs around them.
    package var code: [CodePart] {
        codeOfStages + [codeAroundStages].compactMap { $0 }
    }

    /// The stages that take a share of the stages' cycles that is worth a line, with that share, 0 to 1.
    package var notableStages: [(part: CodePart, share: Double)] {
        let all = Double(max(codeOfStages.reduce(0) { $0 + $1.calls.cycles }, 1))
        return codeOfStages.map { ($0, Double($0.calls.cycles) / all) }.filter { $0.1 >= TapReport.notableShare }
    }

    /// What runs around the stages; nil where the machine code was not executed.
    package var codeAroundStages: CodePart? {
        aroundStages.map { CodePart(name: CodePart.aroundStages, calls: $0) }
    }

    private static let notableShare = 0.05
}
