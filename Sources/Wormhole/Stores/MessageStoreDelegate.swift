import GRDB
import WatchLink

/// A program that keeps tables of its own in the database of its message store. When a message arrives, one transaction
/// commits the program's changes and the record that the message is applied.
///
/// A failed transaction may be repeated, so these functions must change only the database. Other effects belong in
/// `StoreConnection.afterCommit`.
package protocol MessageStoreDelegate: Sendable {
    /// The maximum number of messages that may wait for one peer, including those that `QueueTable.feed` queued. Once
    /// this many wait, the store refuses messages of other programs.
    var mostWaiting: Int { get }

    func failure(_ error: any Error) -> WormholeError

    func isFree(_ name: MessageName) -> Bool

    func admits(_ db: Database, _ peer: PeerIdentity, from device: TransportPeer) throws -> Bool

    /// Called when a peer's hello has arrived, before the store processes it.
    /// - Parameter known: the peer's row before this hello; nil for a new peer.
    /// - Returns: how the messages to the peer continue, and how many of the peer's messages this side applied and then
    ///   lost.
    func willMeet(
        _ db: Database, _ peer: PeerIdentity, _ handshake: PeerHandshake, _ known: PeerRow?
    ) throws -> (StreamContinuation, lost: UInt32)

    /// Called once the store has processed the hello. Here the program can queue what the peer lacks
    /// (`QueueTable.feed`).
    func didMeet(
        _ db: Database, _ peer: PeerIdentity, _ hello: PeerHello, _ continuation: StreamContinuation
    ) throws

    /// Called when a message or acknowledgement arrives from a peer whose `PeerRow.floor` is above 0. The arrival shows
    /// that the peer has accepted our hello. The delegate must set the floor to 0.
    func heard(_ db: Database, from peer: PeerIdentity) throws

    func apply(_ db: Database, _ message: InboundMessage) throws -> ArrivalOutcome

    func repeated(_ db: Database, _ message: InboundMessage) throws

    /// Called once acknowledged messages have left the peer's queue.
    /// - Parameters:
    ///   - rejected: the names of the rejected messages that `QueueTable.feed` had queued.
    ///   - before: the peer's row before this acknowledgement.
    func acknowledged(
        _ db: Database, _ acknowledgement: Acknowledgement, rejected: [MessageName], before: PeerRow
    ) throws
}

/// How the messages to a peer continue after its hello.
package enum StreamContinuation: Equatable, Sendable {
    /// The peer knows our present epoch. If this side is a phone, an earlier epoch that the phone remembers also
    /// suffices. The peer has applied our messages up to `applied`.
    case resume(applied: Acknowledgement)
    /// The peer knows no epoch of ours that this side remembers. The queue continues after the last acknowledged message.
    case continueAfterAcknowledged
    /// The numbers of the peer and of this side disagree, or the delegate decides to start over, for example for a new
    /// watch. The messages get a new epoch. A phone renumbers its queue from 1.
    case startOver
}
