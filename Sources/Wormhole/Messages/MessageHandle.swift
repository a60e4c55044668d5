import Synchronization

/// Reports the fate of a message. Dropping the handle does not affect the message.
public struct MessageHandle: Sendable {
    /// How the message is delivered.
    public let delivery: Delivery
    /// The fate of each recipient's copy.
    public let copies: [PeerIdentity: MessageCopy]

    init(delivery: Delivery, copies: [PeerIdentity: MessageCopy]) {
        self.delivery = delivery
        self.copies = copies
    }

    /// The fate at this moment: of several copies, that of the one that is least far along. A message that is for
    /// nobody yet is `.queued`.
    public var fate: MessageFate {
        copies.values.map(\.fate).min { $0.stage < $1.stage } ?? .queued
    }

    /// Waits until nothing more will become of any copy, and returns the fates of all.
    public func finalFates() async -> [PeerIdentity: MessageFate] {
        var fates: [PeerIdentity: MessageFate] = [:]
        for (peer, copy) in copies { fates[peer] = await copy.finalFate() }
        return fates
    }
}

/// One recipient's copy of a message.
public final class MessageCopy: Sendable {
    private let history = Mutex<[MessageFate]>([.queued])
    private let changes = Broadcast<MessageFate>()

    /// The fate at this moment.
    public var fate: MessageFate {
        history.withLock { $0.last ?? .queued }
    }

    /// Every stage that the copy has been through, from `.queued` on, and then those to come. The sequence ends behind
    /// the final one.
    public var fates: MessageStream<MessageFate> {
        history.withLock { changes.listen(after: $0) }
    }

    /// Waits until nothing more will become of the copy. A task that is cancelled gets the fate as it is.
    public func finalFate() async -> MessageFate {
        for await fate in fates where fate.isFinal { return fate }
        return fate
    }

    /// Moves on to a later stage; an earlier one, as when a frame is sent again, changes nothing.
    func advance(to fate: MessageFate) {
        history.withLock { history in
            guard let last = history.last, last.stage < fate.stage else { return }
            history.append(fate)
            changes.send(fate)
            if fate.isFinal { changes.finish() }
        }
    }
}
