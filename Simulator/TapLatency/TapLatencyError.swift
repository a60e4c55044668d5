import HostSystem

/// The reason why a measurement, a count or a comparison failed, or why taps are over their budget. Each description is one
/// line.
public enum TapLatencyError: Error, Sendable, Equatable {
    case taps(Int)
    case items(Int)
    /// The number of items in the phone's database is below `least` or above 100,000.
    case database(Int, least: Int)
    case loss(Double)
    case steps(String)
    /// The handler is not composed with `TapHandlerBuilder`, so the lab cannot run its stages one by one.
    case notComposed(handler: String)
    /// The watch did not react as the measurement expects.
    case watchFailed
    /// The instruction counts of a handler or package are missing or cannot be used. The text gives the reason and a remedy.
    case counts(String)
    case notCounted(stage: String, String)
    /// The image stopped while a handler was counted. The first text is the handler's name. The second describes the list that
    /// the watch had, such as `8 items with short titles`, and gives the reason.
    case handlerNotCounted(String, String)
    case image(String)
    case firmware(String)
    case notExecuted(stage: String?, String)
    /// The image stopped during the handler's work for a message, button or file. The first text names that work, and the
    /// second gives the reason.
    case messageNotExecuted(String, String)
    case board(String)
    case markNotReached(LatencyMark, handler: String)
    /// Fewer than 99 % of the taps are within the budget. The text is the finding in one line.
    case budgetExceeded(String)
    case tolerance(String)
    case noReport(String, why: String)
    case notComparable(old: String, new: String, why: String)
}

extension TapLatencyError: CustomStringConvertible {
    /// One line for the user.
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
        case .firmware(let why): "cannot measure \(why)"
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
