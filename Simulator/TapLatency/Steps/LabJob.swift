import Watch

extension LabStep {
    /// Whether a tap waits for all of the phone's list.
    var reloads: Bool { stages.contains { $0.runs && $0.stage == ReloadingComplication.self } }
}

extension LabStep {
    /// Whether it is measured again with another seed: those that compute from the step before, or judge more than times, are not.
    var isControlled: Bool {
        switch kind {
        case .measure, .compare: true
        case .attribute, .prove: false
        }
    }
}

extension ControlRun {
    /// Taps of a step that wait for the phone's whole list.
    private static let slowTaps = 10

    /// A step with the next seed.
    init(of step: LabStep, under conditions: Conditions) throws(TapLatencyError) {
        var others = conditions
        others.seed &+= 1
        if step.reloads { others.taps = min(others.taps, ControlRun.slowTaps) }
        let report = try Measurement.report(of: step.stages, called: step.name, under: others)
        self.init(seed: others.seed, taps: others.taps, updated: report.marks.updated)
    }
}

/// A measurement that needs no other one.
enum LabJob: Sendable {
    case own(OwnHandler)
    case step(LabStep)
    /// Few taps, each on a connection at rest.
    case atRest(OwnHandler)
    case cause(LegacyCause)

    func report(under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        switch self {
        case .own(let handler): try Measurement.report(of: handler, under: conditions)
        case .step(let step): try Measurement.report(of: step.stages, called: step.name, under: conditions)
        case .atRest(let handler): try Measurement.report(of: handler, under: conditions.atRest)
        case .cause(let cause): try Measurement.report(of: .legacy, under: cause.conditions(from: conditions))
        }
    }
}
