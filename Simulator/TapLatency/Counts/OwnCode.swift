import DeviceModel
import Watch

/// What a handler computes in none of its stages.
enum OwnCode: Sendable, Equatable {
    /// Nothing: it is composed of stages and has no code of its own.
    case none
    case counted(HandlerCount)
    /// Whatever it is, nobody has counted it.
    case notCounted
    /// It was counted, and has stored properties or several cases: it may do something else than the value that `init()` makes.
    case dependsOnValue
    /// It was counted, and has run other stages than it lists.
    case runsOtherStages

    /// What a report says of it.
    var count: InstructionCount {
        switch self {
        case .none, .counted: .counted
        case .notCounted, .dependsOnValue, .runsOtherStages: .notCounted
        }
    }

    /// Why it is not known, and what to do; nil where it is, and where nobody has counted it.
    var reason: String? {
        switch self {
        case .none, .counted, .notCounted: nil
        case .dependsOnValue:
            "it is more than one value, and the one of init() was counted: give what you ship a type of its own"
        case .runsOtherStages:
            "it has run other stages than it lists: tapline lab --package takes it apart by execution"
        }
    }
}
