import Watch

/// What to try with a stage that the wearer waits for. Only what the measurements support is advised.
public enum Advice: String, Sendable, CaseIterable, Encodable {
    /// Run it after the panel is updated: the panel shows the same at the update and in the end.
    case `defer`
    /// Do without it: what the watch shows, stores and sends is the same.
    case drop
    /// Keep the phone's answer: most taps end the same without a new one.
    case cache
}

/// Whether the budget is kept with a stage.
public enum TrialVerdict: String, Sendable, CaseIterable, Encodable {
    /// The handler is within its budget with it.
    case kept
    /// The handler is over its budget with it, and was within it before.
    case exceeds
    /// The handler was over its budget without it, too.
    case late
    /// It trapped or did not end, and was stopped; the stages after it were tried without it.
    case trapped
}

/// One stage of a handler, added to the stages before it.
public struct StageTrial: Sendable, Encodable, Equatable {
    /// The stage's name.
    public var stage: String
    /// Where it is placed.
    public var placement: StagePlacement
    /// Whether the budget is kept with it.
    public var verdict: TrialVerdict
    /// What was found, in a sentence that is made of the figures.
    public var found: String
    /// What to try.
    public var advice: [Advice]
    /// By how much the median tap-to-update has grown, in microseconds; nil of one that did not come back.
    public var change: Int64?
    /// What it takes itself; nil of one that did not come back.
    public var cost: StageReport?
    /// The time to each mark with it and those before it.
    public var marks: MarkTimes
}

/// A handler, stage by stage: everything off, then each added back, attributed and judged.
public struct HandlerTrial: Sendable, Encodable, Equatable {
    /// With every stage off.
    public var off: TapReport
    /// The stages in the handler's order.
    public var stages: [StageTrial]
    /// By how much the median tap-to-update of the handler as its source composes it is longer than that of its stages alone, in
    /// microseconds: what it computes around them; nil if one of the two never updates the panel.
    public var around: Int64?
    /// The handler as its source composes it; if a stage does not come back, its other stages.
    public var whole: TapReport
    /// Whether `whole` is within its budget.
    public var verdict: TrialVerdict
    /// The stage that takes most of the time that the wearer waits, if the budget is not kept.
    public var culprit: String?

    /// What a handler computes in none of its stages, as a culprit.
    package static let aroundStages = "code around the stages"

    /// The stages that did not come back.
    public var failures: [StageTrial] { stages.filter { $0.verdict == .trapped } }

    /// The trial as JSON, times in microseconds: indented, keys in alphabetical order.
    public var json: [UInt8] { reportJSON() }
}
