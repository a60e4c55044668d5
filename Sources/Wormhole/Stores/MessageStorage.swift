import WatchLink

/// The highest numbers that this endpoint has ever given to messages for one peer.
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

/// Stores messages, so that a restart or a crash neither loses nor repeats one. Calls inside `turn` are durable when it ends.
/// Any other call is its own transaction.
///
/// Each peer has its own outgoing queue, numbered 1, 2, 3 … within an epoch. Latest values have ascending revisions, possibly
/// with gaps. PROTOCOL.md of WatchLink has the rules for both.
package protocol MessageStorage: Sendable {
    /// Commits all changes of `body` in one transaction, or none.
    func turn(_ body: () -> Void) throws(WormholeError)

    /// Runs `body`. An error undoes only the changes of `body`.
    func savepoint(_ body: () throws(WormholeError) -> Void) throws(WormholeError)

    /// Runs a step once the present transaction is committed. If the savepoint that added the step fails, the step does not run.
    func afterCommit(_ step: @escaping () -> Void)

    /// The identity of this endpoint, never zero. It is `proposal` on the first call, and never changes after that.
    func identity(proposal: UInt64) throws(WormholeError) -> UInt64

    /// Starts a new epoch for the messages to each peer. Their sequences continue. `drawEpoch` returns a random epoch, never
    /// zero.
    func beginRun(_ drawEpoch: () -> UInt32) throws(WormholeError)

    /// The peers that have ever said hello and were not forgotten.
    func peers() throws(WormholeError) -> [PeerIdentity]

    /// Whether the device may use the identity `peer`. If not, the endpoint refuses the device before the store changes.
    func admits(_ peer: PeerIdentity, from device: TransportPeer) throws(WormholeError) -> Bool

    /// Decides how the messages between this endpoint and a peer continue.
    ///
    /// With a handshake the peer becomes known, even if the connection ends at once. The messages that the peer has applied
    /// leave the queue. If the stored positions do not `agree` with the peer's hello, this endpoint has lost messages. Then
    /// `newEpoch` becomes the epoch, and a phone renumbers its queue from 1. A new peer also gets `newEpoch`. A store can
    /// queue messages for a new peer here.
    /// - Parameter handshake: the peer's hello; nil on a watch, which says hello first.
    func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) throws(WormholeError) -> PeerStreams

    /// - Parameter payment: the budget of a complication message. If the budget has a message left, it is charged in the same
    ///   transaction.
    /// - Throws: `.unknownPeer` if the peer has never said hello; `.queueFull`.
    func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) throws(WormholeError) -> IssuedMessage

    func complicationBudget(of peer: PeerIdentity) throws(WormholeError) -> ComplicationBudget

    /// The messages from a sequence on, in order and without gaps; none if the first one is not in the queue. Returns at
    /// most `most`.
    func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) throws(WormholeError) -> [QueuedMessage]

    /// Stores the latest value of a name, and returns its revision. A nil payload clears the name. The cleared state is stored
    /// like a value, because a peer that connects later must learn it.
    func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws(WormholeError) -> UInt32

    /// The value with the lowest revision above `revision`. Acknowledged values stay, because a peer that has lost its data
    /// is sent all of them again.
    func value(after revision: UInt32, for peer: PeerIdentity) throws(WormholeError) -> RevisedValue?

    func issued(to peers: [PeerIdentity]) throws(WormholeError) -> [PeerIdentity: IssuedPositions]

    /// Records an acknowledgement. The applied and the rejected messages leave the peer's queue.
    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) throws(WormholeError)

    /// Applies a message that has arrived, and records its sequence.
    ///
    /// The endpoint calls this in the order of the peer's messages, and acknowledges after the commit. A sequence that is
    /// not above the last applied one of the same origin must change nothing. The first message of another epoch replaces
    /// the peer's epoch.
    /// - Returns: `.rejected` if the message can never be applied; its sequence then counts as applied and blocks nothing.
    ///   `.repeated` if the sequence was applied before, or if a restarted peer sends a latest value again.
    func apply(_ message: InboundMessage) throws(WormholeError) -> ArrivalOutcome

    /// The value that this side or a peer last passed under a name; nil if there is none or it was cleared.
    func currentValue(under name: MessageName) throws(WormholeError) -> [UInt8]?

    func namesWithValue() throws(WormholeError) -> [MessageName]

    /// The messages that wait for their peers, oldest first.
    func outstanding() throws(WormholeError) -> [OutstandingMessage]

    /// The fate of a message: `.queued`, or a final fate. Nil if no message has the number, or if 1,024 others were finished
    /// after it.
    func fate(of number: MessageNumber) throws(WormholeError) -> MessageFate?

    /// The message's place in its queue; nil if the message does not wait.
    func place(of number: MessageNumber) throws(WormholeError) -> QueuePlace?

    /// Cancels a waiting message. Its sequence is still sent, without name and value. Nil if the message did not wait.
    func withdraw(_ number: MessageNumber) throws(WormholeError) -> QueuePlace?

    func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) throws(WormholeError)

    /// The file transfers, in the order in which they were added. Only the receiver stores how much has arrived.
    func transfers() throws(WormholeError) -> [TransferRecord]

    func add(_ record: TransferRecord) throws(WormholeError)

    /// Records that the file was offered to its peer. An unknown transfer changes nothing.
    func begun(_ transfer: UInt64) throws(WormholeError)

    /// Records the final fate of a transfer. An unknown transfer changes nothing.
    func conclude(_ transfer: UInt64, _ fate: MessageFate) throws(WormholeError)

    /// An ended transfer with its fate. The store remembers the newest 256 ended files.
    func ended(_ transfer: UInt64) throws(WormholeError) -> (TransferRecord, MessageFate)?

    /// Why a peer need not send a file again; nil if it must. The store remembers the newest 256 such files.
    func ending(of file: FileOrigin) throws(WormholeError) -> FileEnding?

    func end(_ file: FileOrigin, _ ending: FileEnding) throws(WormholeError)
}
