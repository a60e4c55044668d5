import WatchLink

/// How far the streams to a peer have got.
package struct IssuedPositions: Hashable, Sendable {
    /// The epoch of the streams; 0 for those of a peer that is not known.
    package var epoch: UInt32 = 0
    /// The highest sequence that was ever issued; 0 for none.
    package var queued: UInt32 = 0
    /// The highest revision that was ever issued; 0 for none.
    package var latest: UInt32 = 0

    package init() {}

    package init(epoch: UInt32, queued: UInt32, latest: UInt32) {
        self.epoch = epoch
        self.queued = queued
        self.latest = latest
    }
}

extension MessageStorage {
    /// What was issued to a peer; nothing to one that the store does not know.
    package func issued(to peer: PeerIdentity) throws(WormholeError) -> IssuedPositions {
        try issued(to: [peer])[peer] ?? IssuedPositions()
    }
}

/// Keeps messages, so that a restart or a crash loses none and repeats none.
///
/// An endpoint keeps nothing itself: it reads whatever it sends from here, and acknowledges whatever arrives after it is
/// here. Calls inside a turn are durable when the turn ends; any other call is a transaction of its own.
///
/// Each peer has an outgoing queue of its own, numbered 1, 2, 3 … within an epoch. Latest values have revisions, which
/// grow and may leave gaps. The protocol's rules about both are in PROTOCOL.md of WatchLink.
package protocol MessageStorage: Sendable {
    /// Makes everything that `body` changes durable in one transaction.
    ///
    /// - Throws: `.storage`: nothing has changed.
    func turn(_ body: () -> Void) throws(WormholeError)

    /// A part of a turn: an error undoes it, and leaves the others.
    func part(_ body: () throws(WormholeError) -> Void) throws(WormholeError)

    /// Does something once the turn that runs is committed, unless its part fails.
    func afterCommit(_ step: @escaping () -> Void)

    /// The identity that peers know this endpoint by: `proposal` on the first call, and the same ever after. Never zero.
    func identity(proposal: UInt64) throws(WormholeError) -> UInt64

    /// Begins a run of the endpoint: the streams to every peer get an epoch that they never had before, and their numbers go on.
    ///
    /// - Parameter drawEpoch: draws one at random, never zero.
    func beginRun(_ drawEpoch: () -> UInt32) throws(WormholeError)

    /// The peers that ever said hello and were not forgotten.
    func peers() throws(WormholeError) -> [PeerIdentity]

    /// Whether the device at the other end of a transport may have this identity. It is asked before anything is changed
    /// for the identity's sake; a device that may not is refused.
    func admits(_ peer: PeerIdentity, from device: TransportPeer) throws(WormholeError) -> Bool

    /// The positions from which the streams between this endpoint and a peer continue.
    ///
    /// With a handshake the peer is known from now on, even if the connection ends at once, and the messages that it has
    /// applied leave the queue. Where the positions do not `agree` with its hello, this endpoint has lost a part of
    /// its own streams: `newEpoch` is then the epoch from now on, and the queue is numbered again from 1. `newEpoch` is
    /// also the epoch for a peer that is new here. This is the place to enqueue what a new peer must get.
    ///
    /// - Parameters:
    ///   - handshake: the peer's hello; nil in the watch's role, which has to introduce itself first.
    ///   - newEpoch: drawn at random for this call, never zero.
    func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) throws(WormholeError) -> PeerStreams

    /// Appends a message to the queue of a peer and returns its numbers.
    ///
    /// - Parameter payment: of a complication message: the budget that it is charged to, in the same transaction, where that
    ///   has one left.
    /// - Throws: `.unknownPeer` for a peer that never said hello; `.queueFull`.
    func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) throws(WormholeError) -> IssuedMessage

    /// What was spent of a peer's complication budget.
    func complicationBudget(of peer: PeerIdentity) throws(WormholeError) -> ComplicationBudget

    /// The messages in the queue of a peer from a sequence on, in order and without gaps.
    ///
    /// - Parameter most: the most of them, at least 1.
    /// - Returns: none where the first of them is not there.
    func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) throws(WormholeError) -> [QueuedMessage]

    /// Replaces the value of a name and returns its revision. A nil payload clears the name, which is kept too, until
    /// all peers know it.
    func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws(WormholeError) -> UInt32

    /// The value for a peer with the lowest revision above `revision`, or nil where there is none.
    ///
    /// A peer that has lost its memory is sent them all again, so they are kept when they are acknowledged.
    func value(after revision: UInt32, for peer: PeerIdentity) throws(WormholeError) -> RevisedValue?

    /// What was issued to each of these peers, which the store knows.
    func issued(to peers: [PeerIdentity]) throws(WormholeError) -> [PeerIdentity: IssuedPositions]

    /// A peer has applied messages or refused some: those up to `queued` leave its queue.
    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) throws(WormholeError)

    /// Applies a message that has arrived, and notes that its sequence is applied.
    ///
    /// The endpoint acknowledges after the commit. It makes the calls for a peer in the order of the messages; a sequence that is
    /// not above the last one applied of the same origin must change nothing. The first message of another epoch replaces the
    /// epoch.
    ///
    /// - Returns: `.rejected` for a message that can never be applied; its sequence counts as applied, so it blocks nothing.
    ///   `.repeated` for a sequence that was applied before, and for a latest value that a restarted peer sends again.
    /// - Throws: `.storage`: nothing has changed, the connection is closed and the peer sends the message again.
    func apply(_ message: InboundMessage) throws(WormholeError) -> ArrivalOutcome

    /// The value that was last replaced or applied under a name, whoever passed it, encoded; nil where there is none or it was
    /// cleared.
    func currentValue(under name: MessageName) throws(WormholeError) -> [UInt8]?

    /// The names that have a value.
    func namesWithValue() throws(WormholeError) -> [MessageName]

    /// The messages that wait for their peers, the oldest first.
    func outstanding() throws(WormholeError) -> [OutstandingMessage]

    /// The fate of a message that was appended, as far as it is stored: `.queued`, or a final one. Nil for a number that no
    /// message has, and for one that was done before the newest 1,024.
    func fate(of number: MessageNumber) throws(WormholeError) -> MessageFate?

    /// Where a message waits; nil where it does not.
    func place(of number: MessageNumber) throws(WormholeError) -> QueuePlace?

    /// Takes a message back that waits: only its sequence is sent from now on.
    ///
    /// - Returns: where it was; nil where it did not wait.
    func withdraw(_ number: MessageNumber) throws(WormholeError) -> QueuePlace?

    /// A queued message is larger than its peer accepts: only its sequence is sent.
    func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) throws(WormholeError)

    /// The files that are on their way, in the order in which they were added. How much of a file has arrived is known to its
    /// receiver, and kept there.
    func transfers() throws(WormholeError) -> [TransferRecord]

    /// Adds a file.
    func add(_ record: TransferRecord) throws(WormholeError)

    /// A file was offered to its peer. One that is not there changes nothing.
    func begun(_ transfer: UInt64) throws(WormholeError)

    /// A file has arrived, or never will. One that is not there changes nothing.
    func remove(_ transfer: UInt64) throws(WormholeError)

    /// Why a file of a peer need not come again; nil if it may. Known of the newest 256 that have ended.
    func ending(of file: FileOrigin) throws(WormholeError) -> FileEnding?

    /// A file of a peer need not come again.
    func end(_ file: FileOrigin, _ ending: FileEnding) throws(WormholeError)
}
