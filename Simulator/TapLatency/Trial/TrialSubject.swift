import MachineWatch
import Watch

/// A stage of a handler that is taken apart.
struct TrialStage: Equatable, Sendable {
    /// Its place in the handler, from 0.
    let number: Int
    let name: String
    var placement: StagePlacement
}

/// A handler that can be taken apart, measured with some of its stages.
protocol TrialSubject {
    var name: String { get }
    /// Those that run in the handler itself, in its order.
    var stages: [TrialStage] { get }

    /// Measures taps with some of the stages, wherever they are placed.
    func report(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapReport

    /// Measures taps with the handler as its source composes it, which may compute around its stages, too.
    func wholeReport(under conditions: Conditions) throws(TapLatencyError) -> TapReport

    /// What taps do with some of the stages.
    func effects(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapEffects
}

/// A handler that is compiled for this machine.
struct CompiledSubject: TrialSubject {
    let name: String
    let placed: [PlacedStage]
    /// What the handler computes in none of these stages.
    let ownCode: OwnCode

    var stages: [TrialStage] {
        placed.indices.filter { placed[$0].runs }
            .map { TrialStage(number: $0, name: placed[$0].name, placement: placed[$0].placement) }
    }

    func report(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        try Measurement.report(StageSequence(switched(stages)), called: name, under: conditions)
    }

    func effects(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapEffects {
        try Measurement.effects(of: switched(stages), under: conditions)
    }

    func wholeReport(under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        var whole = conditions
        whole.ownCode = ownCode
        return try Measurement.report(StageSequence(placed), called: name, under: whole)
    }

    /// The handler with these stages on and the others off.
    private func switched(_ stages: [TrialStage]) -> [PlacedStage] {
        placed.indices.map { index in
            var stage = placed[index]
            guard let wanted = stages.first(where: { $0.number == index }) else { return stage.off }
            stage.placement = wanted.placement
            return stage
        }
    }
}

/// A handler of an image that is executed.
struct ExecutedSubject: TrialSubject {
    let image: LabImage
    /// The handler's place in the image.
    let place: Int

    var name: String { image.handlers[place].name }

    var stages: [TrialStage] {
        image.handlers[place].stages.enumerated()
            .map { TrialStage(number: $0, name: $1.name, placement: $1.placement) }
    }

    func report(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        try Measurement.profile(handler(stages), called: name, under: conditions)
    }

    func effects(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapEffects {
        try Measurement.effects(of: handler(stages), under: conditions)
    }

    func wholeReport(under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        try Measurement.profile(ExecutedHandler(image, handler: place), called: name, under: conditions)
    }

    private func handler(_ stages: [TrialStage]) -> ExecutedHandler {
        ExecutedHandler(
            image, handler: place,
            choosing: stages.map { LabSettings.ChosenStage(stage: $0.number, placement: $0.placement) })
    }
}
