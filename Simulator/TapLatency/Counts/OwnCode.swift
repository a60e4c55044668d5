import DeviceModel
import Watch

/// What a handler computes in none of its stages.
enum OwnCode: Sendable, Equatable {
    /// Nothing: it is composed of stages and has no code of its own.
    case none
    case counted(HandlerCount)
    /// Whatever it is, nobody has counted it.
    case notCounted

    /// What a report says of it.
    var count: InstructionCount {
        switch self {
        case .none, .counted: .counted
        case .notCounted: .notCounted
        }
    }
}
