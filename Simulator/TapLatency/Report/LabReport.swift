import HostSystem
import Watch

/// The nineteen steps and what they were about.
package struct LabReport: Sendable, Encodable, Equatable {
    package var profile: String
    /// Items on the watch.
    package var items: Int
    /// Items in the phone's database.
    package var database: Int
    /// Taps of each measurement.
    package var taps: Int
    package var seed: UInt64
    /// The steps that were taken, in order.
    package var steps: [StepReport]
    /// The handler as it had grown.
    package var legacy: TapReport
    /// The handler that the steps lead to.
    package var shipping: TapReport
    /// What the panel alone takes for shipping's lines.
    package var panelFloor: PanelFloor
    /// The firmware image beside the model, if it was measured.
    package var firmware: FirmwareComparison?
    /// How shipping's times depend on what should not matter to them.
    package var curve: Curve
    /// Legacy's times by what they follow from; nil if not all steps were taken.
    package var legacyCauses: [LegacyPoint]?
    /// Legacy's stages beside what the essay found.
    package var essay: [EssayShare] = []
    /// After what time a stage gives up waiting for the phone, in microseconds.
    package var phonePatience = WatchLimits.phonePatience.count

    /// How many times faster shipping's median tap-to-update is than legacy's; nil if one of them has none.
    package var speedUp: Double? {
        guard let slow = legacy.marks.updated?.p50, let fast = shipping.marks.updated?.p50, fast > 0 else { return nil }
        return Double(slow) / Double(fast)
    }

    /// The report as JSON, times in microseconds: indented, keys in alphabetical order. The same report gives the same bytes.
    package var json: [UInt8] { reportJSON() }
}

// MARK: Steps

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
    /// What it changed; nil for the first step.
    package var change: StepChange?
    package var marks: MarkTimes
    /// The same with the fewest and with the most cycles that the manual of the processor's core allows; nil if the machine code
    /// was not executed.
    package var bounds: TimeBounds<MarkTimes>?
    /// The same measurement with other rows at other moments; nil if the step measures nothing of its own.
    package var control: ControlRun?
    /// What is missing without each stage that this step has and the one before has not.
    package var absences: [StageAbsence] = []
    /// The stages of the step's handler, in the order in which they ran.
    package var stages: [StageReport]

    /// The spread of tap-to-update and what the control run says, in a sentence; nil without a control run.
    package var chance: String? {
        guard let updated = marks.updated, let control, let again = control.updated else { return nil }
        let difference = Int64(clamping: again.p50) - Int64(clamping: updated.p50)
        let spread =
            updated.p50 == updated.max
            ? "no tap took longer" : "p99 \(Figure.time(updated.p99)), longest \(Figure.time(updated.max))"
        var sentence =
            "\(spread); control (seed \(control.seed), \(CountText(control.taps, "tap"))): "
            + "\(Figure.time(again.p50)) (\(Figure.change(difference)))"
        if let change = change?.updated, change != 0, change.magnitude <= difference.magnitude {
            sentence += ", as much as the step has changed"
        }
        return sentence
    }
}

/// As JSON, the marks stand beside the rest: `steps[0].updated.p50`.
extension StepReport: Encodable {
    private enum Key: String, CodingKey {
        case step, name, hypothesis, found, verdict, change, bounds, control, chance, absences, stages
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
        try values.encodeIfPresent(chance, forKey: .chance)
        try values.encode(absences, forKey: .absences)
        try values.encode(stages, forKey: .stages)
        try marks.encode(to: encoder)
    }
}

/// The outcome of a step.
package enum Verdict: String, Sendable, Encodable {
    /// The step that others are compared with.
    case reference
    /// It stays: it costs nothing that the wearer would notice.
    case kept
    /// It makes the wearer wait; the next step shows where the time goes.
    case slow
    /// The trace shows where the time goes.
    case attributed
    /// It takes less than it did, and does not make the wearer wait any more.
    case fixed
    /// It takes less than it did.
    case improved
    /// It was removed: nothing needs it.
    case removed
    /// It runs after the panel is updated.
    case madeAsynchronous = "made asynchronous"
    /// It holds, and was tried.
    case proven
    /// The model says so; no firmware was measured.
    case predicted
    /// The firmware takes what the model says.
    case confirmed
    /// What was measured does not support the step's hypothesis.
    case refuted
}

/// How the medians differ from those of an earlier step, in microseconds: positive if this step is slower. Nil if one of the two
/// has no such mark.
package struct StepChange: Sendable, Encodable, Equatable {
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

/// A step measured again with another seed: what chance alone changes.
package struct ControlRun: Sendable, Encodable, Equatable {
    package var seed: UInt64
    package var taps: Int
    /// Tap-to-update; nil if no tap got so far.
    package var updated: Distribution?
}

/// Something that the taps of a handler do, said of one that does not do it.
package enum MissingEffect: String, Sendable, Encodable, CaseIterable {
    case strike = "the row is not struck through"
    case model = "the item still counts"
    case titleBar = "the title bar keeps the old count"
    case complication = "the complication still names the item"
    case removal = "the row stays"
    case placeholder = "an empty list does not say that all is done"
    case haptic = "nothing is felt"
    case message = "the phone does not learn of it"
    /// None of these, and something all the same.
    case other = "the watch shows, stores or sends something else"
}

/// What is missing from the whole handler without a stage.
package struct StageAbsence: Sendable, Encodable, Equatable {
    /// The stage's own name.
    package var stage: String
    /// Empty if nothing is missing.
    package var missing: [MissingEffect]

    package var sentence: String {
        let effects = missing.isEmpty ? "nothing is missing" : missing.map(\.rawValue).joined(separator: ", ")
        return "the whole handler without '\(stage)': \(effects)"
    }
}

// MARK: Firmware

/// What the firmware image takes, beside what the model says.
package struct FirmwareComparison: Sendable, Encodable, Equatable {
    /// The processor's time of one stage, in microseconds.
    package struct Stage: Sendable, Encodable, Equatable {
        package var name: String
        /// What the model says.
        package var modelled: Double
        /// What the image took in the emulator.
        package var measured: Double

        /// By how much the measured time is above the modelled one, as a share of it; 0 if both are 0.
        package var difference: Double {
            if modelled == 0 { return measured == 0 ? 0 : .infinity }
            return (measured - modelled) / modelled
        }
    }

    /// In the handler's order.
    package var stages: [Stage]

    /// By how much all stages together may differ. The image for the lab, on which the model was counted, asks the host for what
    /// the firmware's board does itself, such as programming the flash chip: some 600 of 4,800 instructions.
    package static let tolerance = 0.2

    /// By how much all stages together take more than the model says, as a share of that: 0.05 for 5 %. A stage by itself is
    /// further off if it does little but ask its board for something: the image that the model was counted on has another.
    package var difference: Double {
        Stage(
            name: "together", modelled: stages.reduce(0) { $0 + $1.modelled },
            measured: stages.reduce(0) { $0 + $1.measured }
        ).difference
    }
}

// MARK: Curve and causes

/// Shipping's times at one length of the list and one share of lost packets.
package struct CurvePoint: Sendable, Encodable, Equatable {
    /// Items on the watch.
    package var items: Int
    /// The share of packets that were lost, 0 to 1.
    package var loss: Double
    /// Tap-to-update.
    package var updated: Distribution
    /// Until the row is gone.
    package var settled: Distribution
}

/// How shipping's times depend on what should not matter to them. The row at the top is tapped: every row below it
/// moves.
package struct Curve: Sendable, Encodable, Equatable {
    /// At 8, 32 and 128 items, without losses.
    package var items: [CurvePoint]
    /// At 0 to 100 % loss, with the items of the report.
    package var loss: [CurvePoint]
}

/// Legacy's tap-to-update with a list of this length on the phone and a radio link that carries so much, on a full watch.
package struct LegacyPoint: Sendable, Encodable, Equatable {
    /// Items in the phone's database.
    package var database: Int
    /// Packets that a connection event carries each way at most.
    package var packetsPerEvent: Int
    /// Tap-to-update; nil if no tap updated the panel.
    package var updated: Distribution?
}

// MARK: The essay

/// A stage of the handler as it had grown: its share of the tap here, beside what the author of the nineteen steps found on a wrist.
/// The essay gives no figures but that of the whole tap, five seconds and more.
package struct EssayShare: Sendable, Encodable, Equatable {
    /// The stage's own name.
    package let stage: String
    /// Of the time that all stages of the mean tap take, 0 to 1.
    package let share: Double
    /// What the essay says of the stage; nil if it is not in it.
    package let finding: String?
    /// Why the two disagree; nil if they do not.
    package let reason: String?

    /// The stages of a handler in the order in which they run; none if they take no time.
    static func shares(of handler: TapReport) -> [EssayShare] {
        let all = handler.stages.reduce(0) { $0 + $1.mean.total }
        guard all > 0 else { return [] }
        return handler.stages.map { stage in
            let share = stage.mean.total / all
            let found = essay[stage.name]
            // A major one is at least a tenth of the tap; any other one is below that.
            let disagrees = found.map { $0.isMajor != (share >= 0.1) } ?? false
            return EssayShare(
                stage: stage.name, share: share, finding: found?.finding, reason: disagrees ? found?.reason : nil)
        }
    }

    /// What the essay says of each duty, whether it is one of the two major ones, and why the lab may disagree.
    private static let essay: [String: (finding: String, isMajor: Bool, reason: String?)] = [
        SortingDatabase.name.description: (
            "one of the two major ones, removed", true,
            "here the order is a record in flash of a few bytes an item, written by short page programs; what the essay's database did "
                + "for it is not known"
        ),
        ListModel.name.description: ("no effect", false, nil),
        StrikeThrough.name.description: ("no effect", false, nil),
        RowRemoval.name.description: ("no effect", false, nil),
        PhoneMessage.name.description: (
            "one of the two major ones, made asynchronous", true,
            "here it is one packet and its answer, to a phone whose app runs (a number of the profile): two connection events; what the "
                + "essay's framework did is not known"
        ),
        Haptic.name.description: ("no effect", false, nil),
        RemainingCount.name.description: ("barely noticeable, kept", false, nil),
        Placeholder.name.description: ("no effect", false, nil),
        ComplicationUpdate.name.description: (
            "slow: its trigger reloaded a database", false,
            "here the reload has the phone send its whole list over the radio link, which outweighs everything else; the essay's was fixed "
                + "before the two major ones were found"
        ),
    ]
}
