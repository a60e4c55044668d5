import WatchLink

/// What keeps messages, so that a restart or a crash loses none and repeats none.
///
/// An endpoint keeps nothing itself: whatever it sends it reads from here, whatever arrives is here before it is
/// acknowledged. Each call is one step that has happened completely or not at all, and is durable when it returns.
///
/// Each peer has an outgoing queue of its own, numbered 1, 2, 3 … within an epoch. Latest values have revisions, which
/// grow and may leave gaps. The protocol's rules about both are in PROTOCOL.md of WatchLink.
public protocol Persisting: Sendable {
    /// What peers know this endpoint by: `proposal` when called for the first time, and the same ever after. Never
    /// zero.
    func identity(proposal: UInt64) async throws(WormholeError) -> UInt64

    /// The peers that ever said hello.
    func peers() async throws(WormholeError) -> [PeerIdentity]

    /// Where the streams between this endpoint and a peer go on.
    ///
    /// With a meeting the peer is known from now on, even if the connection ends at once, and what it says that it has
    /// applied leaves the queue. Where the positions do not `agree` with its hello, this endpoint has lost a part of
    /// its own streams: `newEpoch` is then the epoch from now on, and what is still queued is numbered afresh from 1.
    /// `newEpoch` is also the epoch for a peer that is new here. This is the place to enqueue what a new peer must get.
    ///
    /// - Parameters:
    ///   - meeting: what the peer said; nil in the watch's role, which has to introduce itself first.
    ///   - newEpoch: drawn at random for this call, never zero.
    func resume(
        _ peer: PeerIdentity, meeting: PeerHandshake?, newEpoch: UInt32
    ) async throws(WormholeError) -> PeerStreams

    /// Appends a message to the queue of a peer and returns its sequence.
    func append(_ message: OutboundMessage, to peer: PeerIdentity) async throws(WormholeError) -> UInt32

    /// The message with that sequence in the queue of a peer, or nil where it is not there.
    func queued(_ sequence: UInt32, to peer: PeerIdentity) async throws(WormholeError) -> OutboundMessage?

    /// Replaces the value of a name and returns its revision. A cleared value is kept too, until all have heard of it.
    func replace(_ value: OutboundValue, for recipients: Recipients) async throws(WormholeError) -> UInt32

    /// The value with the lowest revision above `revision` that is meant for a peer, or nil where there is none.
    ///
    /// A peer that has lost its memory is sent them all again, so they are kept when they are acknowledged.
    func value(after revision: UInt32, for peer: PeerIdentity) async throws(WormholeError) -> RevisedValue?

    /// The highest sequence and the highest revision that were ever issued to a peer.
    func issued(to peer: PeerIdentity) async throws(WormholeError) -> IssuedPositions

    /// A peer has applied messages or refused some: those up to `queued` leave its queue.
    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) async throws(WormholeError)

    /// Applies a message that has arrived, in one transaction with the note that its sequence is applied.
    ///
    /// The endpoint acknowledges when this returns. It calls for one message of a peer at a time and in order; a
    /// sequence that is not above the last one applied in the same epoch must change nothing. A first message of
    /// another epoch replaces the epoch and its sequences.
    ///
    /// - Returns: `.rejected` for a message that can never be applied; its sequence counts as applied, so it blocks
    ///   nothing.
    /// - Throws: `.storage`: nothing has changed, the connection is closed and the peer sends the message again.
    func apply(_ message: InboundMessage) async throws(WormholeError) -> ApplyOutcome

    /// The value that was last replaced or applied under a name, encoded; nil where there is none or it was cleared.
    func currentValue(under name: MessageName) async throws(WormholeError) -> [UInt8]?

    /// The names that have a value.
    func namesWithValue() async throws(WormholeError) -> [MessageName]
}
