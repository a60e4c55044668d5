import HostSystem

/// One of the nineteen steps, taken.
package struct StepReport: Sendable, Equatable {
    /// The step's number, 1 to 19.
    package var step: Int
    /// What was done, in a few words.
    package var name: String
    /// What was expected of it, in a sentence.
    package var hypothesis: String
    /// What was found, in a sentence with the figures.
    package var found: String
    package var verdict: Verdict
    /// What it changed; nil of the first step.
    package var change: StepChange?
    package var marks: MarkTimes
    /// The same with the fewest and with the most cycles that the manual of the processor's core allows; nil where the machine code
    /// was not executed.
    package var bounds: TimeBounds<MarkTimes>?
    /// The same measurement with other rows at other moments; nil where the step measures nothing of its own.
    package var control: ControlRun?
    /// What is missing without each stage that this step has and the one before has not.
    package var absences: [StageAbsence] = []
    /// The stages of the step's handler, in the order in which they ran.
    package var stages: [StageReport]
}

/// A step measured again with another seed: what chance alone changes.
package struct ControlRun: Sendable, Codable, Equatable {
    package var seed: UInt64
    package var taps: Int
    /// Tap-to-update; nil where no tap got so far.
    package var updated: Distribution?
}

extension StepReport {
    /// The spread of tap-to-update and what the control run says, in a sentence; nil without a control run.
    package var chance: String? {
        guard let updated = marks.updated, let control, let again = control.updated else { return nil }
        let difference = Int64(clamping: again.p50) - Int64(clamping: updated.p50)
        let spread =
            updated.p50 == updated.max
            ? "no tap took longer" : "p99 \(Wording.time(updated.p99)), longest \(Wording.time(updated.max))"
        var sentence =
            "\(spread); control (seed \(control.seed), \(CountText(control.taps, "tap"))): "
            + "\(Wording.time(again.p50)) (\(Wording.difference(difference)))"
        if let change = change?.updated, change != 0, change.magnitude <= difference.magnitude {
            sentence += ", as much as the step has changed"
        }
        return sentence
    }
}

/// How the medians differ from those of the step before, in microseconds: positive where this step is slower. Nil where
/// one of the two has no such mark.
package struct StepChange: Sendable, Codable, Equatable {
    /// The step that this one is compared with.
    package var against: Int
    /// The difference of the handler's median time.
    package var handled: Int64?
    /// The difference of the median tap-to-update.
    package var updated: Int64?
    /// The difference of the median time until the row is gone.
    package var settled: Int64?
}

extension StepChange {
    /// The differences of `marks` from those of an earlier step.
    init(of marks: MarkTimes, against step: Int, _ earlier: MarkTimes) {
        func difference(_ mark: LatencyMark) -> Int64? {
            guard let now = marks[mark]?.p50, let before = earlier[mark]?.p50 else { return nil }
            return Int64(clamping: now) - Int64(clamping: before)
        }
        self.init(
            against: step, handled: difference(.handled), updated: difference(.updated), settled: difference(.settled))
    }
}

/// As JSON, the marks stand beside the rest: `steps[0].updated.p50`.
extension StepReport: Codable {
    private enum Key: String, CodingKey {
        case step, name, hypothesis, found, verdict, change, bounds, control, absences, stages
    }

    /// Reads a step.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        try self.init(
            step: values.decode(Int.self, forKey: .step),
            name: values.decode(String.self, forKey: .name),
            hypothesis: values.decode(String.self, forKey: .hypothesis),
            found: values.decode(String.self, forKey: .found),
            verdict: values.decode(Verdict.self, forKey: .verdict),
            change: values.decodeIfPresent(StepChange.self, forKey: .change),
            marks: MarkTimes(from: decoder),
            bounds: values.decodeIfPresent(TimeBounds<MarkTimes>.self, forKey: .bounds),
            control: values.decodeIfPresent(ControlRun.self, forKey: .control),
            absences: values.decodeIfPresent([StageAbsence].self, forKey: .absences) ?? [],
            stages: values.decode([StageReport].self, forKey: .stages))
    }

    /// Writes the step.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(step, forKey: .step)
        try values.encode(name, forKey: .name)
        try values.encode(hypothesis, forKey: .hypothesis)
        try values.encode(found, forKey: .found)
        try values.encode(verdict, forKey: .verdict)
        try values.encodeIfPresent(change, forKey: .change)
        try values.encodeIfPresent(bounds, forKey: .bounds)
        try values.encodeIfPresent(control, forKey: .control)
        try values.encode(absences, forKey: .absences)
        try values.encode(stages, forKey: .stages)
        try marks.encode(to: encoder)
    }
}
