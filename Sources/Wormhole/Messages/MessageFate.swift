import WatchLink

/// How far a message has got.
public enum MessageFate: Equatable, Sendable {
    /// It is kept here and waits for its peer; a restart does not lose it.
    case queued
    /// The transport took it.
    case sent
    /// The peer has received it.
    case delivered
    /// The peer has it in its store, and says so.
    case applied
    /// It is no longer wanted: a newer value of the same name took its place before the peer had it, or it was cleared.
    case expired
    /// It will never be applied.
    case failed(MessageFailure)

    /// Whether it will not change any more.
    public var isFinal: Bool {
        switch self {
        case .queued, .sent, .delivered: false
        case .applied, .expired, .failed: true
        }
    }

    /// How far along it is: a message only ever moves to a higher stage.
    var stage: Int {
        switch self {
        case .queued: 0
        case .sent: 1
        case .delivered: 2
        case .applied, .expired, .failed: 3
        }
    }
}

/// Why a message will never be applied.
public enum MessageFailure: Equatable, Sendable {
    /// The peer refused it, for the reason that it gave.
    case rejected(RejectionReason)
    /// The peer that came takes smaller messages than this one.
    case tooLarge(bytes: Int, limit: Int)
    /// The store failed while the message was being sent; the text says how.
    case storage(String)
}
