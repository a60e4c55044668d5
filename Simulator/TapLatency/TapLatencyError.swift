import HostSystem

/// Why there is no measurement. Each error has a description of one line.
public enum TapLatencyError: Error, Sendable, Equatable {
    /// At least 1 tap and 100,000 at most.
    case taps(Int)
    /// The watch holds 1 to 128 items.
    case items(Int)
    /// Fewer items than the watch has, or more than 100,000.
    case database(Int, least: Int)
    /// A share is 0 to 1.
    case loss(Double)
    /// Steps are numbered 1 to 19.
    case steps(String)
    /// The handler is not composed by `TapHandlerBuilder`, so it cannot be taken apart.
    case notComposed(handler: String)
    /// The watch did not do what was asked of it.
    case watchFailed
    /// The reason, and a remedy.
    case counts(String)
    /// A stage, the reason, and a remedy.
    case notCounted(stage: String, String)
    /// A handler, and the list with the reason.
    case handlerNotCounted(String, String)
    /// The reason.
    case image(String)
    /// The execution of an image has ended early: the stage that was running, and the reason.
    case notExecuted(stage: String?, String)
    /// The same for a message, a button or a file.
    case messageNotExecuted(String, String)
    /// The reason.
    case board(String)
    case markNotReached(LatencyMark, handler: String)
    /// The finding in one line.
    case budgetExceeded(String)
    case tolerance(String)
    /// A file and the reason.
    case noReport(String, why: String)
    /// Two files, the reason, and a remedy.
    case notComparable(old: String, new: String, why: String)
}

extension TapLatencyError: CustomStringConvertible {
    /// The error in one line.
    public var description: String {
        switch self {
        case .taps(let count):
            "\(CountText(count, "tap")) cannot be measured: at least 1 is needed, and 100,000 at most"
        case .items(let count): "\(CountText(count, "item")) are not a list: the watch holds 1 to 128"
        case .database(let count, let least):
            "a phone's database of \(CountText(count, "item")): it holds \(least) to 100,000"
        case .loss(let share): "a loss of \(share) is no share: 0 to 1"
        case .steps(let text): "no steps '\(text)': they are numbered 1 to 19, as in 1-19 or 8"
        case .notComposed(let handler):
            "the stages of handler '\(handler)' are not known: compose it with TapHandlerBuilder"
        case .watchFailed: "the watch stopped working, in none of the handler's stages"
        case .counts(let why): why
        case .notCounted(let stage, let why): "stage '\(stage)' takes a time that is not known: \(why)"
        case .handlerNotCounted(let handler, let why): "\(handler) on \(why)"
        case .image(let why): "the image for the lab: \(why)"
        case .notExecuted(let stage?, let why): "stage '\(stage)' was stopped: \(why)"
        case .notExecuted(nil, let why): "the image was stopped, in none of the handler's stages: \(why)"
        case .messageNotExecuted(let title, let why): "'\(title)' was stopped: \(why)"
        case .board(let why): "the watch could not be made: \(why)"
        case .markNotReached(let mark, let handler): "handler '\(handler)' never reached the mark '\(mark.rawValue)'"
        case .budgetExceeded(let finding): finding
        case .tolerance(let text):
            "'\(SanitizedLine(text))' is no tolerance: give per cent, 0 or more, as in 2% or 0.5%"
        case .noReport(let name, let why): "\(SanitizedLine(name)): \(SanitizedLine(why))"
        case .notComparable(let old, let new, let why):
            "\(SanitizedLine(old)) and \(SanitizedLine(new)) cannot be compared: \(SanitizedLine(why))"
        }
    }
}
