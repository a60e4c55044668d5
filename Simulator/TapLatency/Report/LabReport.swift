import HostSystem
import Watch
import WatchLink

package struct LabReport: Sendable, Encodable, Equatable {
    package var profile: String
    /// Items on the watch.
    package var items: Int
    /// Items in the phone's database.
    package var database: Int
    package var taps: Int
    package var seed: UInt64
    package var steps: [StepReport]
    package var legacy: TapReport
    /// The handler at the end of the steps.
    package var shipping: TapReport
    /// The floor of shipping's lines.
    package var panelFloor: PanelFloor
    package var curve: Curve
    /// Nil unless all steps were run.
    package var legacyCauses: [LegacyPoint]?
    package var essay: [EssayShare] = []
    /// Nil unless all steps were run.
    package var essayCases: [EssayCase]?
    /// Nil unless all steps were run.
    package var phone: [PhoneRow]?
    /// When a stage gives up waiting for the phone, in microseconds.
    package var phonePatience = WatchLimits.phoneTimeout.count

    /// The ratio of the median times to update; nil if one of them is missing.
    package var speedUp: Double? {
        guard let slow = legacy.marks.updated?.p50, let fast = shipping.marks.updated?.p50, fast > 0 else { return nil }
        return Double(slow) / Double(fast)
    }

    /// Times in microseconds.
    package var json: [UInt8] { reportJSON() }
}

// MARK: Steps

package struct StepReport: Sendable, Encodable, Equatable {
    /// "1" to "19", and "18a" to "18d".
    package var step: String
    /// Whether the lab adds it to the essay's steps.
    package var isAdded = false
    package var name: String
    package var hypothesis: String
    /// One sentence with the figures.
    package var found: String
    package var verdict: Verdict
    /// Nil for the first step.
    package var change: StepChange?
    package var marks: MarkTimes
    /// Times with the fewest and the most cycles that the manual allows; nil if no machine code was executed.
    package var bounds: TimeBounds<MarkTimes>?
    /// Nil if the step measures nothing of its own.
    package var control: ControlRun?
    /// What `control` shows about the step; nil without one.
    package var chance: String?
    /// For each stage that this step adds.
    package var absences: [StageAbsence] = []
    /// In the order in which they ran.
    package var stages: [StageReport]
}

extension ControlRun {
    /// The spread of tap-to-update in a step and in this run, in a sentence; nil if one never updates the panel.
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
    /// Other steps are compared with it.
    case reference
    /// It costs no time that the wearer would notice.
    case kept
    /// It makes the wearer wait.
    case slow
    /// The measurement shows what takes the time.
    case attributed
    /// It takes less than before, and is within the budget.
    case fixed
    /// It takes less than before.
    case improved
    /// Nothing depends on it.
    case removed
    /// It runs after the update.
    case madeAsynchronous = "made asynchronous"
    case proven
    /// Predicted by the table, without an execution.
    case predicted
    /// The execution takes the time that the table predicts.
    case confirmed
    /// The measurement does not support the hypothesis.
    case refuted
}

/// The differences of medians from an earlier step, in microseconds; nil if one of the two is missing.
package struct StepChange: Sendable, Encodable, Equatable {
    /// The earlier step; nil if the times are not of a step.
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

/// A step measured again with another seed, which shows the effect of chance.
package struct ControlRun: Sendable, Encodable, Equatable {
    package var seed: UInt64
    package var taps: Int
    /// Nil if no tap updated the panel.
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
    /// Items on the watch.
    package var items: Int
    /// The share of lost packets, 0 to 1.
    package var loss: Double
    package var updated: Distribution
    package var settled: Distribution
}

/// Shipping's times for several lists and losses. The top row is tapped, so that all rows below it move.
package struct Curve: Sendable, Encodable, Equatable {
    /// At 8, 32 and 128 items, without losses.
    package var items: [CurvePoint]
    /// At 0 to 100 % loss, with the items of the report.
    package var loss: [CurvePoint]
}

/// Legacy's tap-to-update on a full watch, by the phone's list and the capacity of the radio link.
package struct LegacyPoint: Sendable, Encodable, Equatable {
    /// Items in the phone's database.
    package var database: Int
    /// The most packets in each direction.
    package var packetsPerEvent: Int
    /// Nil if no tap updated the panel.
    package var updated: Distribution?
}

// MARK: The essay

/// A stage of the slow handler: its share of the tap here, and the essay's finding. The essay gives a figure only for the whole
/// tap: five seconds and more.
package struct EssayShare: Sendable, Encodable, Equatable {
    /// The stage's own name.
    package let stage: String
    /// The share of the time that all stages of the mean tap take, 0 to 1.
    package let share: Double
    /// The essay's finding; nil if it does not mention the stage.
    package let finding: String?
    /// Why the two disagree; nil if they agree.
    package let reason: String?

    /// The stages of a handler in the order in which they run; empty if they take no time.
    static func shares(of handler: TapReport) -> [EssayShare] {
        let all = handler.stages.reduce(0) { $0 + $1.mean.total }
        guard all > 0 else { return [] }
        return handler.stages.map { stage in
            let share = stage.mean.total / all
            let found = essay[stage.name]
            // A major stage takes at least a tenth of the tap; any other stage takes less.
            let disagrees = found.map { $0.isMajor != (share >= 0.1) } ?? false
            return EssayShare(
                stage: stage.name, share: share, finding: found?.finding, reason: disagrees ? found?.reason : nil)
        }
    }

    /// The finding on each duty, whether it is one of the two major ones, and why the lab may disagree.
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

/// The essay's two large duties in legacy, and its complication, under one condition. Times are medians in microseconds.
package struct EssayCase: Sendable, Encodable, Equatable {
    package let condition: String
    /// A number that no document supports, in a sentence; nil if there is none.
    package let assumed: String?
    /// Nil if no tap updated the panel.
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

/// The phone's half of the essay: the time until the watch removes the row of an item that was checked off on the phone.
package struct PhoneRow: Sendable, Encodable, Equatable {
    package let name: String
    /// Requests to the calendar server before the row goes.
    package let requests: Int
    /// The server's time for one request, in microseconds; assumed.
    package let server: UInt64
    /// The time until the row goes, in microseconds; modelled.
    package let time: UInt64

    /// - Parameter commit: the time of the phone's database for the check-off.
    package init(name: String, requests: Int, each server: Microseconds, commit: Microseconds) {
        self.name = name
        self.requests = requests
        self.server = server.count
        time = commit.count + UInt64(requests) * server.count
    }
}
