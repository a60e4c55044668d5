import WatchLink

/// This endpoint's present epoch towards one peer, with the highest sequence and the highest revision that it has
/// issued to that peer.
package struct IssuedPositions: Hashable, Sendable {
    package var epoch: UInt32 = 0
    package var queued: UInt32 = 0
    package var latest: UInt32 = 0
}

extension MessageStorage {
    package func issued(to peer: PeerIdentity) throws(WormholeError) -> IssuedPositions {
        try issued(to: [peer])[peer] ?? IssuedPositions()
    }
}

/// Stores messages, so that a restart or a crash neither loses nor repeats one. Changes inside `turn` are durable once
/// `turn` returns. A call outside of `turn` is a transaction of its own.
///
/// Each peer has its own outgoing queue, numbered 1, 2, 3 … without gaps. The numbers continue in a new epoch, unless a
/// phone renumbers its queue. Latest values have ascending revisions, possibly with gaps. PROTOCOL.md of WatchLink has
/// the rules for both.
package protocol MessageStorage: Sendable {
    /// Runs `body`, and commits all its changes in one transaction. If `turn` throws, nothing has changed.
    func turn(_ body: () -> Void) throws(WormholeError)

    /// Runs `body` inside a turn. If `body` throws, undoes only the changes of `body`, and throws its error.
    func savepoint(_ body: () throws(WormholeError) -> Void) throws(WormholeError)

    /// Runs a step once the present turn is committed, or at once outside of a turn. The step does not run if the turn
    /// fails, or if the savepoint that added the step fails.
    func afterCommit(_ step: @escaping () -> Void)

    /// Returns the identity of this endpoint, never zero. The first call on a new store makes `proposal` the identity,
    /// and later calls ignore `proposal`.
    func identity(proposal: UInt64) throws(WormholeError) -> UInt64

    /// Begins a run of this endpoint: the messages to each peer get a new epoch, and their sequences continue.
    /// `drawEpoch` must return a random epoch, never zero.
    func beginRun(_ drawEpoch: () -> UInt32) throws(WormholeError)

    /// Returns the peers that the store knows. On a phone, a watch becomes known with its first hello, and stays known
    /// until the phone forgets it. A watch always knows its phone, even before they first connect.
    func peers() throws(WormholeError) -> [PeerIdentity]

    /// Whether the device may use the identity `peer`. If not, the endpoint refuses the device before the store changes.
    func admits(_ peer: PeerIdentity, from device: TransportPeer) throws(WormholeError) -> Bool

    /// Decides how the messages between this endpoint and a peer continue.
    ///
    /// The peer becomes known, even if the connection ends at once. A new peer gets `newEpoch`. The store
    /// removes from the queue all messages that the peer has applied. If the stored positions contradict the peer's hello
    /// (`StreamPositions.agree`), this endpoint has lost messages. In that case `newEpoch` becomes the epoch, and a phone
    /// renumbers its queue from 1. A store can also queue messages for the peer here.
    /// - Parameter handshake: the peer's hello. Nil on a watch that has no hello from its phone yet, because a watch
    ///   says hello first.
    func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) throws(WormholeError) -> PeerStreams

    /// Adds a message to the peer's queue.
    /// - Parameter payment: the day and the daily limit for a complication message; nil for a plain queued message. If
    ///   the day's budget has a message left, this message is charged to it in the same transaction.
    /// - Throws: `.unknownPeer` if the store does not know the peer; `.queueFull`; `.reservedName`.
    func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) throws(WormholeError) -> IssuedMessage

    func complicationBudget(of peer: PeerIdentity) throws(WormholeError) -> ComplicationBudget

    /// Returns the messages of the peer's queue from `sequence` on, in order, up to the first gap or the limit `most`.
    /// Returns an empty array if `sequence` is not in the queue.
    func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) throws(WormholeError) -> [QueuedMessage]

    /// Stores the newest value of a name, and returns its revision. A nil payload clears the name. The cleared state is stored
    /// like a value, because a peer that connects later must learn it.
    func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws(WormholeError) -> UInt32

    /// Returns the value with the lowest revision above `revision`; nil if there is none. Acknowledged values stay
    /// stored, because this endpoint sends them again to a peer that has lost its data.
    func value(after revision: UInt32, for peer: PeerIdentity) throws(WormholeError) -> RevisedValue?

    func issued(to peers: [PeerIdentity]) throws(WormholeError) -> [PeerIdentity: IssuedPositions]

    /// Records an acknowledgement. The applied and the rejected messages leave the peer's queue.
    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) throws(WormholeError)

    /// Applies a message that has arrived, and records its sequence.
    ///
    /// The endpoint calls this in the order of the peer's messages, and acknowledges after the commit. If this side has
    /// already applied the same or a later sequence of the same origin, the message must have no effect. The message's
    /// epoch becomes the peer's present epoch.
    /// - Returns: `.rejected` if the message can never be applied; its sequence then counts as applied and blocks
    ///   nothing. `.repeated` if the sequence was applied before, or if a restarted peer sends an unchanged latest
    ///   value again.
    func apply(_ message: InboundMessage) throws(WormholeError) -> ArrivalOutcome

    /// Returns the newest value that either this side or a peer has passed under a name; nil if there is none or it was
    /// cleared.
    func currentValue(under name: MessageName) throws(WormholeError) -> [UInt8]?

    func namesWithValue() throws(WormholeError) -> [MessageName]

    /// Returns the queued messages that are neither acknowledged nor cancelled, oldest first.
    func outstanding() throws(WormholeError) -> [OutstandingMessage]

    /// Returns the fate of a message: `.queued`, or a final fate. Nil if no message has the number, or if the store has
    /// removed the message. The store keeps at least the newest 1,024 finished messages.
    func fate(of number: MessageNumber) throws(WormholeError) -> MessageFate?

    /// Returns a waiting message's place in its queue; nil if the message is finished, cancelled or unknown.
    func place(of number: MessageNumber) throws(WormholeError) -> QueuePlace?

    /// Cancels a waiting message, and returns its place in the queue; nil if no such message waits. The message's
    /// sequence is still sent, without name and value.
    func withdraw(_ number: MessageNumber) throws(WormholeError) -> QueuePlace?

    func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) throws(WormholeError)

    /// Returns the outgoing file transfers that have not ended, in the order in which they were added.
    func transfers() throws(WormholeError) -> [TransferRecord]

    func add(_ record: TransferRecord) throws(WormholeError)

    /// Records that the file was offered to its peer. An unknown transfer changes nothing.
    func begun(_ transfer: UInt64) throws(WormholeError)

    /// Records the final fate of a transfer. An unknown transfer changes nothing.
    func conclude(_ transfer: UInt64, _ fate: MessageFate) throws(WormholeError)

    /// Returns an ended transfer with its fate; nil if the transfer has not ended or is unknown. The store keeps the
    /// newest 256 ended transfers.
    func ended(_ transfer: UInt64) throws(WormholeError) -> (TransferRecord, MessageFate)?

    /// Returns why a peer need not send a file again: this side has stored the file, or has cancelled it. Nil if the
    /// store remembers neither. It remembers the newest 256 such files.
    func ending(of file: FileOrigin) throws(WormholeError) -> FileEnding?

    func end(_ file: FileOrigin, _ ending: FileEnding) throws(WormholeError)
}
