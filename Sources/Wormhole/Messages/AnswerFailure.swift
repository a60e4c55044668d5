import WatchLink

/// Why an interactive message has no answer though its peer was reachable.
public enum AnswerFailure: Hashable, Sendable {
    /// The time was over.
    case noReply
    /// Nobody answers the name on the other side.
    case nobody
    /// Whoever answers it has failed.
    case failed
    /// The other side gave up before there was an answer.
    case late
    /// More messages wait for an answer than the other side takes at once.
    case busy
    /// The other side cannot read the message.
    case malformed
    /// The answer is longer than this side takes.
    case tooLong
    /// A reason of another version.
    case unknown(UInt8)

    /// The failure of a reply; nil for an answer.
    init?(_ status: ReplyStatus) {
        switch status {
        case .answered: return nil
        case .nobody: self = .nobody
        case .failed: self = .failed
        case .late: self = .late
        case .busy: self = .busy
        case .malformed: self = .malformed
        case .tooLong: self = .tooLong
        case _: self = .unknown(status.rawValue)
        }
    }
}

extension AnswerFailure: CustomStringConvertible {
    /// One line for a person to read.
    public var description: String {
        switch self {
        case .noReply: "no answer came in time"
        case .nobody: "nobody answers this name on the other side"
        case .failed: "whoever answers this name has failed"
        case .late: "the other side had no answer in time"
        case .busy: "the other side has more to answer than it takes at once"
        case .malformed: "the other side cannot read the message"
        case .tooLong: "the answer is longer than this side takes"
        case .unknown(let status): "the other side gives the reason \(status), which this version does not know"
        }
    }
}
