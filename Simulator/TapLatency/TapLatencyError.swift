import HostSystem

/// Why a measurement was not made. Each has a description of one line.
public enum TapLatencyError: Error, Sendable, Equatable {
    /// There is nothing to measure without taps.
    case taps(Int)
    /// The watch holds 1 to 128 items.
    case items(Int)
    /// The phone's database holds fewer items than the watch, or more than 100,000.
    case database(Int, least: Int)
    /// A share of lost events is 0 to 1.
    case loss(Double)
    /// Steps are numbered 1 to 19.
    case steps(String)
    /// No stage has this name; the existing names.
    case unknownStage(String, known: [String])
    /// A stage cannot execute a negative number of instructions.
    case instructions(stage: String, Int)
    /// The handler is not composed by `TapHandlerBuilder` and cannot be taken apart.
    case notComposed(handler: String)
    case stageTrapped(String)
    /// A stage did not return: why it was given up.
    case stageNeverReturned(String, StageLimits.Exceeded)
    /// The program trapped or hung, and no stage of the handler was running.
    case watchFailed
    /// The firmware's image has executed no such stage.
    case notOnFirmware(String)
    /// The board could not be made: why.
    case board(String)
    /// A mark that the handler never reached has a budget.
    case markNotReached(LatencyMark, handler: String)
    /// The handler does not keep its budget: the finding in one line.
    case budgetExceeded(String)
}

extension TapLatencyError: CustomStringConvertible {
    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .taps(let count):
            "\(CountText(count, "tap")) cannot be measured: at least 1 is needed, and 100,000 at most"
        case .items(let count): "\(CountText(count, "item")) are not a list: the watch holds 1 to 128"
        case .database(let count, let least):
            "a phone's database of \(CountText(count, "item")): it holds \(least) to 100,000"
        case .loss(let share): "a loss of \(share) is no share: 0 to 1"
        case .steps(let text): "no steps '\(text)': they are numbered 1 to 19, as in 1-19 or 8"
        case .unknownStage(let name, let known):
            "no stage is called '\(name)'; there \(known.count == 1 ? "is" : "are") \(known.joined(separator: ", "))"
        case .instructions(let stage, let count): "stage '\(stage)' cannot execute \(CountText(count, "instruction"))"
        case .notComposed(let handler):
            "the stages of handler '\(handler)' are not known: compose it with TapHandlerBuilder"
        case .stageTrapped(let name): "stage '\(name)' trapped"
        case .stageNeverReturned(let name, let why): "stage '\(name)' never returned: \(why)"
        case .watchFailed: "the watch stopped working, in none of the handler's stages"
        case .notOnFirmware(let name):
            "the firmware's image has executed no stage '\(name)': is it the one that Hardware/build makes?"
        case .board(let why): "the watch could not be made: \(why)"
        case .markNotReached(let mark, let handler): "handler '\(handler)' never reached the mark '\(mark.rawValue)'"
        case .budgetExceeded(let finding): finding
        }
    }
}
