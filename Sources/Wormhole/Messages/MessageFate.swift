import HostSystem
import Synchronization
import WatchLink

/// How far a message or a file has come on its way to its recipient.
public indirect enum MessageFate: Hashable, Sendable, Codable {
    /// The message waits to be sent, or to be sent again after a restart. It is stored, so a restart does not lose it. Only an
    /// interactive message is not stored.
    case queued
    /// This side has handed the message to the transport.
    case sent
    /// The peer has received the message.
    case delivered
    /// The peer has acknowledged that it stored the message, or that its program has handled an interactive message.
    case applied
    /// A program cancelled the message, cleared its name, or passed a newer value, before the peer acknowledged the message.
    case expired
    case failed(MessageFailure)

    /// Whether no other fate can follow.
    public var isFinal: Bool {
        switch self {
        case .queued, .sent, .delivered: false
        case .applied, .expired, .failed: true
        }
    }

    /// Whether a message can change from `earlier` to this fate. True if `earlier` is nil; false if `earlier` is final.
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

/// Why a message or a file has the fate `.failed`.
public enum MessageFailure: Hashable, Sendable, Codable {
    case rejected(RejectionReason)
    /// The message is too large for the peer, as this side learned when the peer connected. Both sizes are in bytes, and include
    /// the encoded name. For a file, `bytes` is the size of the frame that offers the file, and `limit` is the maximum size
    /// of a frame.
    case tooLarge(bytes: Int, limit: Int)
    /// The queue for the peer was full, so this copy was not stored.
    case queueFull(limit: Int)
    case notAnswered(WormholeError)
    /// This side cancelled the transfer of the file.
    case cancelled
    /// The peer ended the transfer of the file, or the file became shorter after this side had offered it (`.wrongHash`).
    case fileRefused(FileReason)
    /// One side broke the protocol in some file transfer on the link. Every file that this side had offered on the link gets
    /// this failure.
    case brokenProtocol
    /// This side can no longer read the file.
    case fileUnreadable(WormholeError)
    /// The peer takes no messages of this delivery, as this side learned when the peer connected.
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
    /// The failure in words for the user. They follow `failed: ` in a line.
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
    /// Text for the user that says that a peer does not take this delivery, and what to do. It follows the peer's name.
    var notTakenWords: String {
        switch self {
        case .interactive: "takes no questions and no interactive messages: declare them in its program, or update it"
        case .file: "takes no files: declare them in its program, or update it"
        case .latest, .queued, .complication: "takes no messages of the delivery \(self): update it"
        }
    }
}

/// Reports the fate of a message at each recipient. The message is still sent if the program releases the handle.
public struct MessageHandle: Sendable {
    /// How the message is delivered.
    public let delivery: Delivery
    /// Each recipient's copy of the message.
    public let copies: [PeerIdentity: MessageCopy]

    /// The least advanced fate of the copies; `.queued` if the message has no recipient yet. If all fates are final but
    /// differ, the result is any one of them.
    public var fate: MessageFate {
        copies.values.map(\.fate).min { $1.isLater(than: $0) } ?? .queued
    }

    /// Waits until the fate of every copy is final. A cancelled task gets the present fates.
    public func finalFates() async -> [PeerIdentity: MessageFate] {
        var fates: [PeerIdentity: MessageFate] = [:]
        for (peer, copy) in copies { fates[peer] = await copy.finalFate() }
        return fates
    }
}

/// One recipient's copy of a message.
public final class MessageCopy: Sendable {
    /// The number of a queued or complication message, for `Wormhole.fate(of:)`, also in a later process. Nil for other
    /// deliveries, or if the message was not stored because the queue was full.
    public let number: MessageNumber?
    /// The budget that the message was charged to; `.nothing` for a complication message beyond the daily budget. A copy from
    /// `Wormhole.copy(of:)` has `.nothing` if the message is finished, or was passed before the endpoint's last start.
    public let charge: MessageCharge
    private let history = Mutex<[MessageFate]>([.queued])
    private let changes = Broadcast<MessageFate>()

    init(number: MessageNumber? = nil, charge: MessageCharge = .nothing) {
        self.number = number
        self.charge = charge
    }

    /// Makes a copy whose fate is already final. `number` is nil if the message was never stored.
    convenience init(number: MessageNumber? = nil, ended fate: MessageFate) {
        self.init(number: number)
        advance(to: fate)
    }

    /// The fate now.
    public var fate: MessageFate {
        history.withLock { $0.last ?? .queued }
    }

    /// The fates so far, from `.queued` on, and then each new fate. The sequence ends after the final fate.
    public var fates: AsyncStream<MessageFate> {
        history.withLock { changes.listen(after: $0) }
    }

    /// Waits until the fate is final. A cancelled task gets the present fate.
    public func finalFate() async -> MessageFate {
        for await fate in fates where fate.isFinal { return fate }
        return fate
    }

    /// Changes the fate, and reports it to the listeners. Does nothing if `fate` is not later than the present fate.
    func advance(to fate: MessageFate) {
        history.withLock { history in
            guard fate.isLater(than: history.last) else { return }
            history.append(fate)
            changes.send(fate)
            if fate.isFinal { changes.finish() }
        }
    }
}
