import GRDB
import WatchLink

/// The program of a message store that has more tables in the store's database. It takes part in the store's transactions: what
/// it makes of a message is committed together with the note that the message is applied.
///
/// A transaction that fails may be made again, so the functions change nothing but the database. What else has to be done is for
/// `StoreConnection.afterCommit`.
package protocol MessageStoreDelegate: Sendable {
    /// The most messages that wait for a peer when another program passes one more; what this one feeds counts too.
    var mostWaiting: Int { get }

    /// An error of a transaction, in the terms of the endpoint.
    func failure(_ error: any Error) -> WormholeError

    /// Whether other programs may pass messages under a name.
    func isFree(_ name: MessageName) -> Bool

    /// Whether the device at the other end of a transport may have this identity.
    func admits(_ db: Database, _ peer: PeerIdentity, from device: TransportPeer) throws -> Bool

    /// A peer has said hello, and the store has not taken it in yet.
    ///
    /// - Parameter known: the streams until now; nil for a new peer.
    /// - Returns: how the streams continue, and how many of the peer's messages were applied and are lost.
    func willMeet(
        _ db: Database, _ peer: PeerIdentity, _ handshake: PeerHandshake, _ known: PeerRow?
    ) throws -> (StreamContinuation, lost: UInt32)

    /// The store has taken the hello in. This is the place to feed what the peer lacks.
    func didMeet(
        _ db: Database, _ peer: PeerIdentity, _ hello: PeerHello, _ continuation: StreamContinuation
    ) throws

    /// A message or an acknowledgement has come, before the store looks at it: the peer goes on after our hello.
    func heard(_ db: Database, from peer: PeerIdentity) throws

    /// Applies a message that was not applied before. The store has noted its number.
    func apply(_ db: Database, _ message: InboundMessage) throws -> ArrivalOutcome

    /// A message has come again that was applied before.
    func repeated(_ db: Database, _ message: InboundMessage) throws

    /// A peer has applied messages, which have left its queue, or refused some.
    ///
    /// - Parameters:
    ///   - rejected: the names of those that this program has fed and the peer has rejected.
    ///   - before: the streams until now.
    func acknowledged(
        _ db: Database, _ acknowledgement: Acknowledgement, rejected: [MessageName], before: PeerRow
    ) throws
}

/// How the streams to a peer continue after its hello.
package enum StreamContinuation: Equatable, Sendable {
    /// The peer remembers them, and has applied this much.
    case resume(applied: Acknowledgement)
    /// The peer does not remember them: they go on after what it has acknowledged.
    case goOn
    /// They get a new epoch. What waits in a phone's queue is numbered again from 1.
    case startOver
}
