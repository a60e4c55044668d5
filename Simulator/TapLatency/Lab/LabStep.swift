import Watch

/// A step of the lab. It is from an essay on a slow shopping list, unless `isAdded` is true.
struct LabStep: Sendable {
    enum Kind: Sendable, Equatable {
        case measure
        /// Finds the work and the waits that make up a stage's time in the previous step.
        case attribute(stage: String)
        /// Cuts the link or the power after each tap. At the end, checks that the phone has applied each tap once.
        case prove
        /// Compares the time that the table of counts predicts with the time that the emulator measures.
        case compare
    }

    /// The result that the essay claims for the step. If the lab has added the step, the result that the lab expects.
    enum Expectation: Sendable, Equatable {
        case reference
        /// The median time from touch to update is the same as in the previous step, within 1 %.
        case free
        case unnoticed
        case slow(stage: String)
        /// These kinds of time make up more than half of the time of the stage that `Kind.attribute` names.
        case explained(by: Set<TimeKind>)
        /// The stage takes less time than in the previous step, and the stage alone does not exceed the budget.
        case fixed(stage: String)
        case improved(stage: String)
        case unneeded(stage: String)
        /// The stage runs after the update of the panel, and does not delay the update.
        case asynchronous(stage: String)
        case lossless
        case predicted
    }

    let number: Int
    /// Distinguishes steps with the same number. Empty for the first step with a number, and "a", "b" and so on for the
    /// following steps.
    var letter = ""
    let name: String
    let hypothesis: String
    let kind: Kind
    let expectation: Expectation
    let stages: [PlacedStage]
    var isAdded = false

    var label: String { "\(number)\(letter)" }
}

extension LabStep {
    var before: LabStep? {
        LabStep.all.firstIndex { $0.label == label }.flatMap { $0 > 0 ? LabStep.all[$0 - 1] : nil }
    }

    /// The stages that run in this step and did not run in the previous one. A stage that only changes its placement is not
    /// among them.
    var added: [PlacedStage] {
        guard let before = before?.stages.filter(\.runs) else { return [] }
        return stages.filter { placed in placed.runs && !before.contains { $0.stage == placed.stage } }
    }

    static let all: [LabStep] = begin + trivial + complication + sorting + message + deferred + together

    private static let begin = [
        LabStep(
            number: 1, name: "everything disabled",
            hypothesis: "The handler is the cause: without it a tap is instant.",
            kind: .measure, expectation: .reference, stages: []),
        LabStep(
            number: 2, name: "nine stages extracted, all off",
            hypothesis: "Stages that can be switched one by one cost nothing while they are off.",
            kind: .measure, expectation: .free, stages: extracted),
    ]

    private static let extracted: [PlacedStage] = [
        .immediate(SortingDatabase.self).off, .immediate(ListModel.self).off, .immediate(StrikeThrough.self).off,
        .immediate(RowRemoval.self).off, .immediate(AwaitedPhoneMessage.self).off, .immediate(Haptic.self).off,
        .immediate(RemainingCount.self).off,
        .immediate(Placeholder.self).off, .immediate(ReloadingComplication.self).off,
    ]

    private static let trivial = [
        trivialStep(3, "haptic", [haptic]),
        trivialStep(4, "placeholder", [haptic, placeholder]),
        trivialStep(5, "strike-through", [haptic, placeholder, strike]),
        trivialStep(6, "cell and model", [haptic, placeholder, model, strike, removal]),
        trivialStep(7, "remaining count", everyday),
    ]

    private static func trivialStep(_ number: Int, _ name: String, _ stages: [PlacedStage]) -> LabStep {
        LabStep(
            number: number, name: name, hypothesis: "The wearer does not notice the \(name).", kind: .measure,
            expectation: .unnoticed, stages: stages)
    }

    private static let complication: [LabStep] = {
        let slow = everyday + [.immediate(ReloadingComplication.self)]
        return [
            LabStep(
                number: 8, name: "complication, as it was", hypothesis: "The complication makes the wearer wait.",
                kind: .measure, expectation: .slow(stage: "complication"), stages: slow),
            LabStep(
                number: 9, name: "where the complication's time goes",
                hypothesis: "It is not the update itself but what triggers it.",
                kind: .attribute(stage: "complication"),
                expectation: .explained(by: [.flash, .radio, .window, .phone]),
                stages: slow),
            LabStep(
                number: 10, name: "complication without the reload",
                hypothesis: "Without the reload the wearer does not notice the complication.",
                kind: .measure, expectation: .fixed(stage: "complication"), stages: everyday + [update]),
        ]
    }()

    private static let sorting: [LabStep] = {
        let slow = everyday + [update, .immediate(SortingDatabase.self)]
        let incremental = everyday + [update, .immediate(IncrementalSortingDatabase.self)]
        return [
            LabStep(
                number: 11, name: "sorting database, as it was",
                hypothesis: "The sorting database makes the wearer wait.",
                kind: .measure, expectation: .slow(stage: "sorting database"), stages: slow),
            LabStep(
                number: 12, name: "where the sorting's time goes",
                hypothesis: "It writes the whole order.",
                kind: .attribute(stage: "sorting database"), expectation: .explained(by: [.flash]), stages: slow),
            LabStep(
                number: 13, name: "sorting database, change only",
                hypothesis: "Less to write takes less time.",
                kind: .measure, expectation: .improved(stage: "sorting database"), stages: incremental, isAdded: true),
            LabStep(
                number: 14, name: "without the sorting database",
                hypothesis: "Nothing needs it: checked items do not move to the bottom any more.",
                kind: .measure, expectation: .unneeded(stage: "sorting database"), stages: everyday + [update]),
        ]
    }()

    private static let message: [LabStep] = {
        let waiting = everyday + [update, .immediate(AwaitedPhoneMessage.self)]
        let asynchronous = everyday + [update, .deferred(PhoneMessage.self)]
        return [
            LabStep(
                number: 15, name: "message sent and waited for", hypothesis: "The message makes the wearer wait.",
                kind: .measure, expectation: .slow(stage: "message to the phone"), stages: waiting),
            LabStep(
                number: 16, name: "where the message's time goes", hypothesis: "It is the wait for the answer.",
                kind: .attribute(stage: "message to the phone"),
                expectation: .explained(by: [.radio, .window, .phone]),
                stages: waiting, isAdded: true),
            LabStep(
                number: 17, name: "message sent after the update",
                hypothesis: "The wearer need not wait for the phone.",
                kind: .measure, expectation: .asynchronous(stage: "message to the phone"), stages: asynchronous),
            LabStep(
                number: 18, name: "the link cut after every tap", hypothesis: "What is sent later is not lost.",
                kind: .prove, expectation: .lossless, stages: asynchronous, isAdded: true),
        ]
    }()

    /// Steps 18a to 18d. Each defers one more of the stages that the shipping handler defers.
    private static let deferred: [LabStep] = {
        let moved: [any TapStage.Type] = [
            Haptic.self, RemainingCount.self, Placeholder.self, ComplicationUpdate.self,
        ]
        return moved.indices.map { index in
            let later = moved[...index]
            let kept = (everyday + [update]).filter { placed in !later.contains { $0 == placed.stage } }
            let name = "\(moved[index].name)"
            return LabStep(
                number: 18, letter: "\(Unicode.Scalar(UInt8(ascii: "a") + UInt8(index)))",
                name: "\(name) after the update",
                hypothesis: "The wearer need not wait for the \(name).",
                kind: .measure, expectation: .asynchronous(stage: name),
                stages: kept + [.deferred(PhoneMessage.self)] + later.map { PlacedStage.deferred($0) }, isAdded: true)
        }
    }()

    private static let together = [
        LabStep(
            number: 19, name: "all together, executed",
            hypothesis: "Executed together, they take what the table of counts predicts.",
            kind: .compare, expectation: .predicted, stages: OwnHandler.shipping.stages)
    ]

    private static let haptic = PlacedStage.immediate(Haptic.self)
    private static let placeholder = PlacedStage.immediate(Placeholder.self)
    private static let model = PlacedStage.immediate(ListModel.self)
    private static let strike = PlacedStage.immediate(StrikeThrough.self)
    private static let removal = PlacedStage.immediate(RowRemoval.self)
    private static let update = PlacedStage.immediate(ComplicationUpdate.self)
    private static let everyday = [
        haptic, placeholder, model, strike, removal, PlacedStage.immediate(RemainingCount.self),
    ]
}
