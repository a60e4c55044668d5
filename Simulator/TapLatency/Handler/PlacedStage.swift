import Watch

/// A stage that says what it executes, so that the model can charge it.
///
/// The stages of the product are counted on the firmware image; one that is not takes no time of the processor, unless
/// it says so by this, or whoever measures gives a count.
public protocol CountedStage: TapStage {
    /// Instructions of one run.
    static var instructions: Int { get }
}

/// A stage and its place in a handler.
public struct PlacedStage: Sendable {
    /// Whether a stage runs.
    public enum Activity: Sendable {
        /// It runs.
        case on
        /// It is there, and does not run.
        case off
    }

    /// The stage.
    public let stage: any TapStage.Type
    /// Where it is placed.
    public var placement: StagePlacement
    /// Whether it runs.
    public var activity: Activity

    /// `stage`, placed.
    public init(_ stage: any TapStage.Type, _ placement: StagePlacement, _ activity: Activity = .on) {
        self.stage = stage
        self.placement = placement
        self.activity = activity
    }

    /// `stage`, before the panel is updated.
    public static func immediate(_ stage: any TapStage.Type) -> PlacedStage { PlacedStage(stage, .immediate) }

    /// `stage`, after the panel is updated.
    public static func deferred(_ stage: any TapStage.Type) -> PlacedStage { PlacedStage(stage, .deferred) }

    /// The stage's own name.
    public var name: String { stage.name.description }

    /// The stage, switched off.
    public var off: PlacedStage { PlacedStage(stage, placement, .off) }

    var runs: Bool {
        switch activity {
        case .on: true
        case .off: false
        }
    }
}
