import GRDB
import WatchLink

/// A program with more tables in the database of its message store. It takes part in the store's transactions: its changes for a
/// message are committed together with the record that the message is applied.
///
/// A failed transaction may be repeated, so these functions change only the database. Other effects belong in
/// `StoreConnection.afterCommit`.
package protocol MessageStoreDelegate: Sendable {
    /// If this many messages wait for a peer, the store refuses messages of other programs. Waiting messages of this program
    /// count too.
    var mostWaiting: Int { get }

    /// Converts an error of a transaction to one of the endpoint.
    func failure(_ error: any Error) -> WormholeError

    /// Whether other programs may pass messages under a name.
    func isFree(_ name: MessageName) -> Bool

    /// Whether the device at the other end of a transport may use the identity `peer`.
    func admits(_ db: Database, _ peer: PeerIdentity, from device: TransportPeer) throws -> Bool

    /// Called after a peer's hello, before the store processes it.
    ///
    /// - Parameter known: the stored row of the peer; nil for a new peer.
    /// - Returns: how the messages to the peer continue, and how many of the peer's messages this side applied and then lost.
    func willMeet(
        _ db: Database, _ peer: PeerIdentity, _ handshake: PeerHandshake, _ known: PeerRow?
    ) throws -> (StreamContinuation, lost: UInt32)

    /// Called once the store has processed the hello. The program can add what the peer lacks to the queue here.
    func didMeet(
        _ db: Database, _ peer: PeerIdentity, _ hello: PeerHello, _ continuation: StreamContinuation
    ) throws

    /// Called for the first message or acknowledgement after a hello with a floor, before the store processes it. It shows that
    /// the peer has accepted our hello. Sets the floor to 0.
    func heard(_ db: Database, from peer: PeerIdentity) throws

    /// Applies a new message. The store has recorded its number.
    func apply(_ db: Database, _ message: InboundMessage) throws -> ArrivalOutcome

    /// Called if a message arrives again after it was applied.
    func repeated(_ db: Database, _ message: InboundMessage) throws

    /// Called once a peer has applied or rejected messages, which have left its queue.
    ///
    /// - Parameters:
    ///   - rejected: the names of the rejected messages of this program.
    ///   - before: the row of the peer before this acknowledgement.
    func acknowledged(
        _ db: Database, _ acknowledgement: Acknowledgement, rejected: [MessageName], before: PeerRow
    ) throws
}

/// How the messages to a peer continue after its hello.
package enum StreamContinuation: Equatable, Sendable {
    /// The peer knows an epoch that we remember, and has applied this much.
    case resume(applied: Acknowledgement)
    /// The peer knows no epoch that we remember. The messages continue after its last acknowledgement.
    case goOn
    /// The messages get a new epoch. A phone renumbers its queue from 1.
    case startOver
}
