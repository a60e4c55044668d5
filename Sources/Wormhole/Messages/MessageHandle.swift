import Synchronization
import WatchLink

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

    /// A copy of which nothing more will be heard.
    convenience init(number: MessageNumber, ended fate: MessageFate) {
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

    /// A copy that was never stored.
    static func failed(_ failure: MessageFailure) -> MessageCopy {
        let copy = MessageCopy()
        copy.advance(to: .failed(failure))
        return copy
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
