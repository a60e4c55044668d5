import GRDB
import WatchLink

/// A program with more tables in the database of its message store. Its changes for a message are committed together with the
/// record that the message is applied.
///
/// A failed transaction may be repeated, so these functions change only the database. Other effects belong in
/// `StoreConnection.afterCommit`.
package protocol MessageStoreDelegate: Sendable {
    /// The most messages that may wait for a peer, including those of this program. Beyond this number, the store refuses
    /// messages of other programs.
    var mostWaiting: Int { get }

    func failure(_ error: any Error) -> WormholeError

    func isFree(_ name: MessageName) -> Bool

    func admits(_ db: Database, _ peer: PeerIdentity, from device: TransportPeer) throws -> Bool

    /// Called after a peer's hello, before the store processes it. `known` is nil for a new peer. `lost` is how many of the
    /// peer's messages this side applied and then lost.
    func willMeet(
        _ db: Database, _ peer: PeerIdentity, _ handshake: PeerHandshake, _ known: PeerRow?
    ) throws -> (StreamContinuation, lost: UInt32)

    /// Called once the store has processed the hello. The program can add what the peer lacks to the queue here.
    func didMeet(
        _ db: Database, _ peer: PeerIdentity, _ hello: PeerHello, _ continuation: StreamContinuation
    ) throws

    /// Called for the first message or acknowledgement after a hello with a floor: the sequence up to which the peer has deleted
    /// its messages. The peer has then accepted our hello. The delegate must set `PeerRow.floor` to 0.
    func heard(_ db: Database, from peer: PeerIdentity) throws

    func apply(_ db: Database, _ message: InboundMessage) throws -> ArrivalOutcome

    func repeated(_ db: Database, _ message: InboundMessage) throws

    /// Called once acknowledged messages have left the peer's queue. `rejected` are the names of the rejected messages that
    /// `QueueTable.feed` had queued. `before` is the peer's row before this acknowledgement.
    func acknowledged(
        _ db: Database, _ acknowledgement: Acknowledgement, rejected: [MessageName], before: PeerRow
    ) throws
}

/// How the messages to a peer continue after its hello.
package enum StreamContinuation: Equatable, Sendable {
    /// The peer has applied this much. It knows our epoch, or an earlier one that this side remembers (only a phone does).
    case resume(applied: Acknowledgement)
    /// The peer knows no epoch of ours that this side remembers. The queue continues after the last acknowledged message.
    case continueAfterAcknowledged
    /// The messages get a new epoch. A phone renumbers its queue from 1.
    case startOver
}
