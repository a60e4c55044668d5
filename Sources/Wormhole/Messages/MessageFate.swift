import HostSystem
import Synchronization
import WatchLink

/// How far a message has got.
public indirect enum MessageFate: Hashable, Sendable, Codable {
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
public enum MessageFailure: Hashable, Sendable, Codable {
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
    case fileRefused(FileReason)
    /// It is a file, and the peer has said goodbye because of its transfer, or has broken the protocol in it.
    case brokenProtocol
    /// It is a file that this side cannot read any more.
    case fileUnreadable(WormholeError)
    /// The peer that connected takes nothing of this delivery.
    case notTaken(Delivery)
}

extension MessageFate: CustomStringConvertible {
    /// The stage in one word.
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

    /// Why it has failed; nil if it has not.
    package var failure: MessageFailure? { if case .failed(let failure) = self { failure } else { nil } }

    /// One word, or one and the reason.
    public var description: String { failure.map { "\(word): \($0)" } ?? word }
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
        case .fileRefused(let reason): reason.words
        case .brokenProtocol: "the two sides do not understand one another about it: update both"
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

/// Reports the fate of a message. Dropping the handle does not affect the message.
public struct MessageHandle: Sendable {
    /// How the message is delivered.
    public let delivery: Delivery
    /// The fate of each recipient's copy.
    public let copies: [PeerIdentity: MessageCopy]

    /// The fate now: of several copies, that of the one that is least far along. A message for nobody yet is `.queued`.
    public var fate: MessageFate {
        copies.values.map(\.fate).min { $0.stage < $1.stage } ?? .queued
    }

    /// Waits until the fate of every copy is final, and returns them all.
    public func finalFates() async -> [PeerIdentity: MessageFate] {
        var fates: [PeerIdentity: MessageFate] = [:]
        for (peer, copy) in copies { fates[peer] = await copy.finalFate() }
        return fates
    }
}

/// One recipient's copy of a message.
public final class MessageCopy: Sendable {
    /// The number of a queued message, by which another run of the program asks for its fate; nil for other deliveries.
    public let number: MessageNumber?
    /// What it was charged to: `.nothing` for a complication message beyond the budget of the day, as for any other.
    public let charge: MessageCharge
    private let history = Mutex<[MessageFate]>([.queued])
    private let changes = Broadcast<MessageFate>()

    init(number: MessageNumber? = nil, charge: MessageCharge = .nothing) {
        self.number = number
        self.charge = charge
    }

    /// A copy that changes no more; without a number it was never stored.
    convenience init(number: MessageNumber? = nil, ended fate: MessageFate) {
        self.init(number: number)
        advance(to: fate)
    }

    /// The fate now.
    public var fate: MessageFate {
        history.withLock { $0.last ?? .queued }
    }

    /// Every stage that the copy has been through, from `.queued` on, and then those to come. The sequence ends after
    /// the final one.
    public var fates: AsyncStream<MessageFate> {
        history.withLock { changes.listen(after: $0) }
    }

    /// Waits until the fate is final. A task that is cancelled gets the present fate.
    public func finalFate() async -> MessageFate {
        for await fate in fates where fate.isFinal { return fate }
        return fate
    }

    /// Moves on to a later stage; an earlier one, for example when a frame is sent again, changes nothing.
    func advance(to fate: MessageFate) {
        history.withLock { history in
            guard let last = history.last, last.stage < fate.stage else { return }
            history.append(fate)
            changes.send(fate)
            if fate.isFinal { changes.finish() }
        }
    }
}
