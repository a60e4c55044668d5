import HostSystem
import Watch
import WatchLink

/// The lab's measurements of its steps and of the handlers `legacy` and `shipping`. The steps follow an essay about a shopping
/// list with slow taps. Comments in this file call it "the essay".
package struct LabReport: Sendable, Encodable, Equatable {
    package var profile: String
    package var items: Int
    package var database: Int
    package var taps: Int
    package var seed: UInt64
    package var steps: [StepReport]
    package var legacy: TapReport
    package var shipping: TapReport
    /// How long the panel's bus alone takes for the lines that the shipping handler sends.
    package var panelFloor: PanelFloor
    package var curve: Curve
    /// The legacy handler's times with several list lengths and several limits on packets. Nil if the lab ran only some
    /// steps.
    package var legacyCauses: [LegacyPoint]?
    package var essay: [EssayShare] = []
    /// The legacy handler's times under conditions that make sorting and message slow. In the essay, these were the two
    /// major stages. Nil if the lab ran only some steps.
    package var essayCases: [EssayCase]?
    /// How long the phone shows a row after its item is checked off on the phone, in two cases. Nil if the lab ran only some
    /// steps.
    package var phone: [PhoneRow]?
    /// The time after which a stage stops waiting for the phone, in microseconds.
    package var phonePatience = WatchLimits.phoneTimeout.count

    package var speedUp: Double? {
        guard let slow = legacy.marks.updated?.p50, let fast = shipping.marks.updated?.p50, fast > 0 else { return nil }
        return Double(slow) / Double(fast)
    }

    package var json: [UInt8] { reportJSON() }
}

// MARK: Steps

package struct StepReport: Sendable, Encodable, Equatable {
    /// The label of the step: "1" to "19", and "18a" to "18d".
    package var step: String
    /// True if the step is the lab's own, and not in the essay.
    package var isAdded = false
    package var name: String
    package var hypothesis: String
    package var found: String
    package var verdict: Verdict
    /// The change since the previous step. Nil for step 1.
    package var change: StepChange?
    package var marks: MarkTimes
    /// The times with the fewest and the most cycles that the processor manual allows. Nil if no emulator executed the step, or
    /// if the step cuts the link.
    package var bounds: TimeBounds<MarkTimes>?
    /// The same step, measured with another seed. Nil if the step only explains the time of the previous step, or cuts the
    /// link.
    package var control: ControlRun?
    /// A sentence that says how much the times vary by chance. Nil without a control run, or if one of the two runs never
    /// updated the panel.
    package var chance: String?
    /// For each stage that this step adds: the effects that are missing if the shipping handler runs without this stage.
    package var absences: [StageAbsence] = []
    package var stages: [StageReport]
}

extension ControlRun {
    /// Returns a sentence that says how much the step's times vary by chance. The parameters come from the first measurement of
    /// the step. Nil if the step or this control run never updated the panel.
    func chance(of marks: MarkTimes, _ change: StepChange?) -> String? {
        guard let updated = marks.updated, let again = self.updated else { return nil }
        let difference = Int64(clamping: again.p50) - Int64(clamping: updated.p50)
        let spread =
            updated.p50 == updated.max
            ? "no tap took longer" : "p99 \(Figure.time(updated.p99)), longest \(Figure.time(updated.max))"
        var sentence =
            "\(spread); control (seed \(seed), \(CountText(taps, "tap"))): "
            + "\(Figure.time(again.p50)) (\(Figure.change(difference)))"
        if let change = change?.updated, change != 0, change.magnitude <= difference.magnitude {
            sentence += ", as much as the step has changed"
        }
        return sentence
    }
}

package enum Verdict: String, Sendable, Encodable {
    /// The step is the first, so it is compared with no other.
    case reference
    /// If the step's expectation is `free`, the step changes the time by at most 1 %. Otherwise, the tap is within the budget,
    /// or was already over the budget before the step.
    case kept
    case slow
    case attributed
    /// The stage that the step changes takes less time than in the previous step, and is within the budget.
    case fixed
    case improved
    case removed
    case madeAsynchronous = "made asynchronous"
    case proven
    /// The time comes from the table of instruction counts. No emulator executed the step to confirm it.
    case predicted
    case confirmed
    case refuted
}

/// The changes of median times between two measurements, in microseconds. A change is nil if one of its two medians is missing.
package struct StepChange: Sendable, Encodable, Equatable {
    /// The label of the earlier step. Nil if the measurements are not of two steps.
    package var against: String?
    package var handled: Int64?
    package var updated: Int64?
    package var settled: Int64?
}

extension StepChange {
    init(of marks: MarkTimes, against step: String?, _ earlier: MarkTimes) {
        func difference(_ mark: LatencyMark) -> Int64? {
            guard let now = marks[mark]?.p50, let before = earlier[mark]?.p50 else { return nil }
            return Int64(clamping: now) - Int64(clamping: before)
        }
        self.init(
            against: step, handled: difference(.handled), updated: difference(.updated), settled: difference(.settled))
    }
}

/// A second measurement of a step, with another seed. Its difference from the first measurement shows the effect of chance.
package struct ControlRun: Sendable, Encodable, Equatable {
    package var seed: UInt64
    package var taps: Int
    package var updated: Distribution?
}

package enum MissingEffect: String, Sendable, Encodable, CaseIterable {
    case strike = "the row is not struck through"
    case model = "the item still counts"
    case titleBar = "the title bar keeps the old count"
    case complication = "the complication still names the item"
    case removal = "the row stays"
    case placeholder = "an empty list does not say that all is done"
    case haptic = "nothing is felt"
    case message = "the phone does not learn of it"
    case other = "the watch shows, stores or sends something else"
}

package struct StageAbsence: Sendable, Encodable, Equatable {
    package var stage: String
    package var missing: [MissingEffect]

    package var sentence: String {
        let effects = missing.isEmpty ? "nothing is missing" : missing.map(\.rawValue).joined(separator: ", ")
        return "the whole handler without '\(stage)': \(effects)"
    }
}

// MARK: Curve and causes

package struct CurvePoint: Sendable, Encodable, Equatable {
    package var items: Int
    /// The share of lost packets, 0 to 1.
    package var loss: Double
    package var updated: Distribution
    package var settled: Distribution
}

/// The shipping handler's times for several list lengths and shares of lost packets. The lab taps the top row, so that all
/// other rows move.
package struct Curve: Sendable, Encodable, Equatable {
    /// The times with 8, 32 and 128 items, without lost packets.
    package var items: [CurvePoint]
    /// The times with 0, 25, 50, 75 and 100 % of the packets lost. At each point, the
    /// list has `LabReport.items` items.
    package var loss: [CurvePoint]
}

/// The legacy handler's time from touch to update, for one combination of `database` and `packetsPerEvent`. The watch is full:
/// it stores 128 items.
package struct LegacyPoint: Sendable, Encodable, Equatable {
    /// The number of items on the phone.
    package var database: Int
    /// The maximum number of packets in each direction of a connection event.
    package var packetsPerEvent: Int
    package var updated: Distribution?
}

// MARK: The essay

/// A stage of the legacy handler: its share of a tap's time in this lab, and the essay's finding about the stage. The essay
/// gives only the time of the whole tap, not the times of the stages.
package struct EssayShare: Sendable, Encodable, Equatable {
    package let stage: String
    /// The stage's mean time, as a share of the mean time of all stages together: 0 to 1.
    package let share: Double
    /// The essay's finding about the stage. Nil if the essay does not mention it.
    package let finding: String?
    /// Why the share disagrees with the essay. Nil if it agrees, or if no reason is known.
    package let reason: String?

    static func shares(of handler: TapReport) -> [EssayShare] {
        let all = handler.stages.reduce(0) { $0 + $1.mean.total }
        guard all > 0 else { return [] }
        return handler.stages.map { stage in
            let share = stage.mean.total / all
            let found = essay[stage.name]
            // The lab agrees with the essay if a major stage takes at least a tenth of the tap, and any other stage takes less.
            let disagrees = found.map { $0.isMajor != (share >= 0.1) } ?? false
            return EssayShare(
                stage: stage.name, share: share, finding: found?.finding, reason: disagrees ? found?.reason : nil)
        }
    }

    /// What the essay found about each stage, by the stage's name. `isMajor` is true for the two stages that the essay found to
    /// be major. `reason` says why the lab may disagree.
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

/// The legacy handler's median times under one condition, in microseconds. `updated` is the time from touch to update.
/// `sorting`, `message` and `complication` are the times of stages.
package struct EssayCase: Sendable, Encodable, Equatable {
    package let condition: String
    /// A sentence that says which number of the condition is assumed. Nil if none is assumed.
    package let assumed: String?
    package let updated: UInt64?
    package let sorting: UInt64?
    package let message: UInt64?
    package let complication: UInt64?

    init(_ condition: String, _ assumed: String?, _ report: TapReport) {
        func median(_ name: StaticString) -> UInt64? {
            report.stages.first { $0.name == name.description }?.time.p50
        }
        self.condition = condition
        self.assumed = assumed
        updated = report.marks.updated?.p50
        sorting = median(SortingDatabase.name)
        message = median(PhoneMessage.name)
        complication = median(ComplicationUpdate.name)
    }
}

/// How long the phone shows a row after its item is checked off on the phone. In the essay, the phone waited for the
/// calendar server before it removed the row.
package struct PhoneRow: Sendable, Encodable, Equatable {
    package let name: String
    /// The number of requests to the calendar server before the phone removes the row.
    package let requests: Int
    /// How long the server is assumed to take for one request, in microseconds.
    package let server: UInt64
    /// The time from the check-off until the phone removes the row, in microseconds. It is calculated: the time of
    /// the phone's commit, plus `requests` times `server`.
    package let time: UInt64

    package init(name: String, requests: Int, each server: Microseconds, commit: Microseconds) {
        self.name = name
        self.requests = requests
        self.server = server.count
        time = commit.count + UInt64(requests) * server.count
    }
}
