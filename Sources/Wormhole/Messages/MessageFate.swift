import HostSystem
import Synchronization
import WatchLink

/// The progress of a message towards its peer.
public indirect enum MessageFate: Hashable, Sendable, Codable {
    /// The message is stored here until its peer connects. A restart does not lose it.
    case queued
    /// The transport has taken the message.
    case sent
    /// The peer has received the message.
    case delivered
    /// The peer has stored the message and acknowledged that.
    case applied
    /// The message was cancelled, or its name was cleared, or a newer value replaced it before it arrived.
    case expired
    case failed(MessageFailure)

    /// Whether no other fate can follow.
    public var isFinal: Bool {
        switch self {
        case .queued, .sent, .delivered: false
        case .applied, .expired, .failed: true
        }
    }

    /// Whether this fate is later than `earlier`. A fate is not later than itself.
    package func isLater(than earlier: MessageFate?) -> Bool {
        guard let earlier else { return true }
        return stage > earlier.stage
    }

    private var stage: Int {
        switch self {
        case .queued: 0
        case .sent: 1
        case .delivered: 2
        case .applied, .expired, .failed: 3
        }
    }
}

/// Why a message will never be applied.
public enum MessageFailure: Hashable, Sendable, Codable {
    case rejected(RejectionReason)
    /// The peer that connected accepts only smaller messages; both sizes are in bytes, including the name.
    case tooLarge(bytes: Int, limit: Int)
    /// The queue for the peer was full, so this copy was not stored.
    case queueFull(limit: Int)
    case notAnswered(WormholeError)
    /// This side cancelled the transfer of the file.
    case cancelled
    /// The peer ended the transfer of the file.
    case fileRefused(FileReason)
    /// One side broke the protocol in a file transfer, so every transfer to the peer that had begun on that link failed.
    case brokenProtocol
    /// This side can no longer read the file.
    case fileUnreadable(WormholeError)
    /// The peer that connected takes no messages of this delivery.
    case notTaken(Delivery)
}

extension MessageFate: CustomStringConvertible {
    package var word: String {
        switch self {
        case .queued: "queued"
        case .sent: "sent"
        case .delivered: "delivered"
        case .applied: "applied"
        case .expired: "expired"
        case .failed: "failed"
        }
    }

    package var failure: MessageFailure? { if case .failed(let failure) = self { failure } else { nil } }

    /// The name of the fate, and the failure if there is one.
    public var description: String { failure.map { "\(word): \($0)" } ?? word }
}

extension MessageFailure: CustomStringConvertible {
    /// The failure, as the end of a line.
    public var description: String {
        switch self {
        case .rejected(let reason): "the peer has rejected it, \(reason.words)"
        case .tooLarge(let bytes, let limit):
            "it has \(CountText(bytes, "byte")), the peer accepts at most \(limit)"
        case .queueFull(let limit): "\(limit) messages waited for the peer already"
        case .notAnswered(let error): error.description
        case .cancelled: "it was cancelled here"
        case .fileRefused(let reason): reason.words
        case .brokenProtocol: "the two sides disagree about the file transfer: update both"
        case .fileUnreadable(let error): "the file cannot be read any more: \(error)"
        case .notTaken(let delivery): "the peer \(delivery.notTakenWords)"
        }
    }
}

extension Delivery {
    /// The end of a line that says that a peer does not take this delivery. The line begins with the peer's name.
    var notTakenWords: String {
        switch self {
        case .interactive: "takes no questions and no interactive messages: declare them in its program, or update it"
        case .file: "takes no files: declare them in its program, or update it"
        case .latest, .queued, .complication: "takes no messages of the delivery \(self): update it"
        }
    }
}

/// Reports the fate of a message. Dropping the handle does not affect the message.
public struct MessageHandle: Sendable {
    /// The delivery of the message.
    public let delivery: Delivery
    /// The fate of each recipient's copy.
    public let copies: [PeerIdentity: MessageCopy]

    /// The least advanced fate of the copies; `.queued` if the message has no recipient yet.
    public var fate: MessageFate {
        copies.values.map(\.fate).min { $1.isLater(than: $0) } ?? .queued
    }

    /// Waits until the fate of every copy is final.
    public func finalFates() async -> [PeerIdentity: MessageFate] {
        var fates: [PeerIdentity: MessageFate] = [:]
        for (peer, copy) in copies { fates[peer] = await copy.finalFate() }
        return fates
    }
}

/// One recipient's copy of a message.
public final class MessageCopy: Sendable {
    /// The number of a queued message, with which a later process can ask for its fate; nil for other deliveries.
    public let number: MessageNumber?
    /// The budget that the message was charged to; `.nothing` for a complication message beyond the daily budget.
    public let charge: MessageCharge
    private let history = Mutex<[MessageFate]>([.queued])
    private let changes = Broadcast<MessageFate>()

    init(number: MessageNumber? = nil, charge: MessageCharge = .nothing) {
        self.number = number
        self.charge = charge
    }

    /// A copy whose fate is final already. The number is nil if the message was never stored.
    convenience init(number: MessageNumber? = nil, ended fate: MessageFate) {
        self.init(number: number)
        advance(to: fate)
    }

    /// The fate now.
    public var fate: MessageFate {
        history.withLock { $0.last ?? .queued }
    }

    /// Every fate so far, from `.queued` on, then the later ones. The sequence ends after the final one.
    public var fates: AsyncStream<MessageFate> {
        history.withLock { changes.listen(after: $0) }
    }

    /// Waits until the fate is final. A cancelled task gets the present fate.
    public func finalFate() async -> MessageFate {
        for await fate in fates where fate.isFinal { return fate }
        return fate
    }

    /// Reports a new fate. An earlier fate is ignored, for example when a frame is sent again.
    func advance(to fate: MessageFate) {
        history.withLock { history in
            guard fate.isLater(than: history.last) else { return }
            history.append(fate)
            changes.send(fate)
            if fate.isFinal { changes.finish() }
        }
    }
}
