import DeviceModel
import Watch

/// A stage that states its number of instructions, so that the model can charge them.
///
/// Tapline's own stages are counted on the firmware image. Any other stage needs a count, from this protocol or as an
/// argument of the measurement; without one its time lacks the processor's share, and reports say so.
public protocol CountedStage: TapStage {
    /// Instructions of one run.
    static var instructions: Int { get }
}

/// A stage and its place in a handler.
public struct PlacedStage: Sendable {
    enum Activity {
        case on
        /// It is there, and does not run.
        case off
    }

    /// The stage.
    public let stage: any TapStage.Type
    /// Where it is placed.
    public var placement: StagePlacement
    var activity = Activity.on

    /// `stage`, before the panel is updated.
    public static func immediate(_ stage: any TapStage.Type) -> PlacedStage {
        PlacedStage(stage: stage, placement: .immediate)
    }

    /// `stage`, after the panel is updated.
    public static func deferred(_ stage: any TapStage.Type) -> PlacedStage {
        PlacedStage(stage: stage, placement: .deferred)
    }

    /// The stage's own name.
    public var name: String { stage.name.stageName }

    /// The stage, switched off.
    public var off: PlacedStage { PlacedStage(stage: stage, placement: placement, activity: .off) }

    var runs: Bool {
        switch activity {
        case .on: true
        case .off: false
        }
    }
}
