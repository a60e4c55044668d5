import HostSystem
import WatchLink

/// How far a message has got.
public indirect enum MessageFate: Hashable, Sendable {
    /// It is stored here and waits for its peer; a restart does not lose it.
    case queued
    /// The transport has accepted it.
    case sent
    /// The peer has received it.
    case delivered
    /// The peer has stored it, and has acknowledged that.
    case applied
    /// A newer value of the same name replaced it before the peer had it, or it was cleared.
    case expired
    /// It will never be applied.
    case failed(MessageFailure)

    /// Whether it is the last stage.
    public var isFinal: Bool {
        switch self {
        case .queued, .sent, .delivered: false
        case .applied, .expired, .failed: true
        }
    }

    /// A message only ever moves to a higher stage.
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
public enum MessageFailure: Hashable, Sendable {
    /// The peer rejected it, for this reason.
    case rejected(RejectionReason)
    /// The peer that connected accepts only smaller messages; sizes in bytes, names included.
    case tooLarge(bytes: Int, limit: Int)
    /// This number of messages waited for the peer already, so this copy was not stored.
    case queueFull(limit: Int)
    /// It was interactive, and this went wrong.
    case notAnswered(WormholeError)
    /// It is a file, and whoever sent it has cancelled it.
    case cancelled
    /// It is a file, and the peer has ended its transfer.
    case fileRefused(FileRefusal)
    /// It is a file that this side cannot read any more.
    case fileUnreadable(WormholeError)
    /// The peer that connected takes nothing of this delivery.
    case notTaken(Delivery)
}

extension MessageFate: CustomStringConvertible {
    /// One word, or one and the reason.
    public var description: String {
        switch self {
        case .queued: "queued"
        case .sent: "sent"
        case .delivered: "delivered"
        case .applied: "applied"
        case .expired: "expired"
        case .failed(let failure): "failed: \(failure)"
        }
    }
}

extension MessageFailure: CustomStringConvertible {
    /// The reason, as the end of a line.
    public var description: String {
        switch self {
        case .rejected(let reason): "the peer has rejected it, \(reason.words)"
        case .tooLarge(let bytes, let limit):
            "it has \(CountText(bytes, "byte")), the peer accepts at most \(limit)"
        case .queueFull(let limit): "\(limit) messages waited for the peer already"
        case .notAnswered(let error): error.description
        case .cancelled: "it was cancelled here"
        case .fileRefused(let refusal): refusal.description
        case .fileUnreadable(let error): "the file cannot be read any more: \(error)"
        case .notTaken(let delivery): "the peer \(delivery.notTakenWords)"
        }
    }
}

extension Delivery {
    /// That a peer takes nothing of this delivery, and what helps, as the end of a line behind the peer.
    var notTakenWords: String {
        switch self {
        case .interactive: "takes no questions and no interactive messages: have its program declare one, or update it"
        case .file: "takes no files: have its program declare one, or update it"
        case .latest, .queued, .complication: "takes nothing of the delivery \(self): update it"
        }
    }
}
