import WatchLink

/// The highest numbers that this endpoint has given to messages for one peer.
package struct IssuedPositions: Hashable, Sendable {
    /// The epoch of these numbers, a random number; 0 if the peer is unknown.
    package var epoch: UInt32 = 0
    /// The highest sequence that was ever issued; 0 if there is none.
    package var queued: UInt32 = 0
    /// The highest revision that was ever issued; 0 if there is none.
    package var latest: UInt32 = 0
}

extension MessageStorage {
    /// The highest numbers issued to one peer; all 0 if the store does not know it.
    package func issued(to peer: PeerIdentity) throws(WormholeError) -> IssuedPositions {
        try issued(to: [peer])[peer] ?? IssuedPositions()
    }
}

/// Stores messages, so that a restart or a crash neither loses nor repeats one.
///
/// An endpoint stores nothing itself. It sends messages from this storage, and acknowledges arrived ones only after
/// storing them. Calls inside `turn` are durable when it ends. Any other call is its own transaction.
///
/// Each peer has its own outgoing queue, numbered 1, 2, 3 … within an epoch. Latest values have ascending revisions, possibly
/// with gaps. PROTOCOL.md of WatchLink has the rules for both.
package protocol MessageStorage: Sendable {
    /// Commits all changes of `body` in one transaction.
    ///
    /// - Throws: `.storage`. Then nothing has changed.
    func turn(_ body: () -> Void) throws(WormholeError)

    /// Runs one part of a turn. An error undoes only this part.
    func part(_ body: () throws(WormholeError) -> Void) throws(WormholeError)

    /// Runs a step once the present turn is committed. If the part that added the step fails, the step does not run.
    func afterCommit(_ step: @escaping () -> Void)

    /// The identity under which peers know this endpoint. It is `proposal` on the first call, and never changes after that. Never
    /// zero.
    func identity(proposal: UInt64) throws(WormholeError) -> UInt64

    /// Begins a run of the endpoint. The messages to every peer get a new epoch, in which their numbers continue.
    ///
    /// - Parameter drawEpoch: draws a random epoch, never zero.
    func beginRun(_ drawEpoch: () -> UInt32) throws(WormholeError)

    /// The peers that have ever said hello and were not forgotten.
    func peers() throws(WormholeError) -> [PeerIdentity]

    /// Whether the device at the other end of a transport may use the identity `peer`. The endpoint asks before it changes
    /// anything. If the answer is false, the endpoint refuses the device.
    func admits(_ peer: PeerIdentity, from device: TransportPeer) throws(WormholeError) -> Bool

    /// Decides how the messages between this endpoint and a peer continue.
    ///
    /// With a handshake the peer becomes known, even if the connection ends at once. The messages that the peer has applied
    /// leave the queue. If the stored positions do not `agree` with the peer's hello, this endpoint has lost messages. Then
    /// `newEpoch` becomes the epoch, and a phone renumbers its queue from 1. A new peer also gets `newEpoch`. A store can queue
    /// messages for a new peer here.
    ///
    /// - Parameters:
    ///   - handshake: the peer's hello; nil on a watch, which says hello first.
    ///   - newEpoch: a random epoch for this call, never zero.
    func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) throws(WormholeError) -> PeerStreams

    /// Appends a message to a peer's queue, and returns its numbers.
    ///
    /// - Parameter payment: the budget of a complication message; nil for other messages. If the budget has a message left, it
    ///   is charged in the same transaction.
    /// - Throws: `.unknownPeer` if the peer has never said hello; `.queueFull`.
    func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) throws(WormholeError) -> IssuedMessage

    func complicationBudget(of peer: PeerIdentity) throws(WormholeError) -> ComplicationBudget

    /// The messages in a peer's queue from a sequence on, in order and without gaps.
    ///
    /// - Parameter most: the most messages to return, at least 1.
    /// - Returns: no messages if the first one is not in the queue.
    func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) throws(WormholeError) -> [QueuedMessage]

    /// Replaces the value of a name, and returns the new revision. A nil payload clears the name. The cleared state is stored
    /// like a value, because a peer that connects later must learn it.
    func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws(WormholeError) -> UInt32

    /// The value for a peer with the lowest revision above `revision`; nil if there is none.
    ///
    /// Acknowledged values stay, because a peer that has lost its data is sent all of them again.
    func value(after revision: UInt32, for peer: PeerIdentity) throws(WormholeError) -> RevisedValue?

    /// The highest numbers issued to each of these peers. The store must know every peer.
    func issued(to peers: [PeerIdentity]) throws(WormholeError) -> [PeerIdentity: IssuedPositions]

    /// Records that a peer has applied or rejected messages. Those up to `queued` leave its queue.
    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) throws(WormholeError)

    /// Applies a message that has arrived, and records its sequence.
    ///
    /// The endpoint calls this in the order of the peer's messages, and acknowledges after the commit. A sequence that is not
    /// above the last applied one of the same origin must change nothing. The first message of another epoch replaces the
    /// peer's epoch.
    ///
    /// - Returns: `.rejected` if the message can never be applied; its sequence then counts as applied and blocks nothing.
    ///   `.repeated` if the sequence was applied before, or if a restarted peer sends a latest value again.
    /// - Throws: `.storage`. Then nothing has changed, the channel closes, and the peer sends the message again.
    func apply(_ message: InboundMessage) throws(WormholeError) -> ArrivalOutcome

    /// The encoded value that this side or a peer last passed under a name; nil if there is none or it was cleared.
    func currentValue(under name: MessageName) throws(WormholeError) -> [UInt8]?

    func namesWithValue() throws(WormholeError) -> [MessageName]

    /// The messages that wait for their peers, oldest first.
    func outstanding() throws(WormholeError) -> [OutstandingMessage]

    /// The stored fate of a message: `.queued`, or a final one. Nil if no message has the number, or if 1,024 others were
    /// finished after it.
    func fate(of number: MessageNumber) throws(WormholeError) -> MessageFate?

    /// The queue and the sequence of a waiting message; nil if it does not wait.
    func place(of number: MessageNumber) throws(WormholeError) -> QueuePlace?

    /// Withdraws a waiting message. Its sequence is still sent, without name and value.
    ///
    /// - Returns: the queue and the sequence of the message; nil if it did not wait.
    func withdraw(_ number: MessageNumber) throws(WormholeError) -> QueuePlace?

    /// Records that a queued message is too large for its peer, so that only its sequence is sent.
    func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) throws(WormholeError)

    /// The files in transfer, in the order in which they were added. Only the receiver stores how much has arrived.
    func transfers() throws(WormholeError) -> [TransferRecord]

    func add(_ record: TransferRecord) throws(WormholeError)

    /// Records that a file was offered to its peer. An unknown transfer changes nothing.
    func begun(_ transfer: UInt64) throws(WormholeError)

    /// Ends the transfer of a file with its final fate. An unknown transfer changes nothing.
    func conclude(_ transfer: UInt64, _ fate: MessageFate) throws(WormholeError)

    /// A file whose transfer has ended, and its fate; nil if there is none. The store remembers the newest 256.
    func ended(_ transfer: UInt64) throws(WormholeError) -> (TransferRecord, MessageFate)?

    /// Why a peer need not send a file again; nil if the peer may send it. The store remembers the newest 256 ended files.
    func ending(of file: FileOrigin) throws(WormholeError) -> FileEnding?

    /// Records that a peer need not send a file again.
    func end(_ file: FileOrigin, _ ending: FileEnding) throws(WormholeError)
}
