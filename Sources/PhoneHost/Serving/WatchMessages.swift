import Foundation
import GRDB
import WatchLink
import Wormhole

/// An event of a transaction with a watch. `PhoneMachine` handles it after the commit.
enum MessageEvent: Equatable, Sendable {
    /// The phone has processed the watch's hello.
    case connecting(PeerIdentity)
    case noticed(WatchNews)
    /// The phone may have messages to queue for the watch: the queue has room again, or the watch needs some rows again.
    case due(PeerIdentity)
    /// The phone has published new values (`Delivery.latest`), which every watch gets.
    case published
    /// A message of a watch was applied or rejected, so the lists may have changed.
    case applied(InboundMessage, ApplyOutcome, title: String?)
}

/// Adds the changes of the phone's own tables to the transactions of the message store.
///
/// For example, one transaction applies a check-off, records it in the history and marks its message as applied. A different
/// transaction queues rows for a watch and records that the watch has them.
struct WatchMessages: MessageStoreDelegate {
    let store: PhoneStore
    /// Called for each event, after its transaction is committed. For each watch, calls are in the order of the
    /// transactions.
    let report: @Sendable (MessageEvent) -> Void
    private var dependencies: PhoneDependencies { store.dependencies }

    var mostWaiting: Int { FeedStore.mostWaitingOfPrograms }

    func failure(_ error: any Error) -> WormholeError { .storage(PhoneError(error, path: store.path).description) }

    func isFree(_ name: MessageName) -> Bool { ApplicationMessage(text: name.text) == nil }

    /// Whether the device may use the identity that it claims: false if another device's bond owns the identity.
    func admits(_ db: Database, _ peer: PeerIdentity, from device: TransportPeer) throws -> Bool {
        guard try WatchBond.obstacle(db, to: device, being: peer.column) != nil else { return true }
        tell([WatchNews(peer, .claimed)])
        return false
    }

    /// Decides how the message streams continue after a watch's hello.
    ///
    /// The watch gets a new epoch and all content again if it is new, or if it remembers no epoch that the phone knows. The
    /// same happens if its message numbers contradict this database, or if the phone has used half of the message numbers.
    func willMeet(
        _ db: Database, _ peer: PeerIdentity, _ handshake: PeerHandshake, _ known: PeerRow?
    ) throws -> (StreamContinuation, lost: UInt32) {
        var step = WatchHandshake(peer: peer, handshake: handshake, known: known)
        let continuation = try step.begin(db, dependencies)
        tell(.connecting(peer))
        tell(step.notices)
        if step.hasPublished { tell(.published) }
        return continuation
    }

    func didMeet(
        _ db: Database, _ peer: PeerIdentity, _ hello: PeerHello, _ continuation: StreamContinuation
    ) throws {
        switch continuation {
        case .resume:
            if case .rows(let check) = hello.report {
                try compareRows(db, peer, reported: check, applied: hello.queuedApplied)
            }
        case .continueAfterAcknowledged: break
        case .startOver: try FeedStore.forget(db, watch: peer.column)
        }
        try FeedStore.bringUpToDate(db, watch: peer.column)
    }

    /// Reports the watch's acknowledged messages that this database has lost. From then on, treats them as applied. The
    /// watch has accepted the phone's hello, so it certainly belongs to this phone.
    func heard(_ db: Database, from peer: PeerIdentity) throws {
        guard let watch = try StoredRow.watch(db, peer.column) else { return }
        let floor: UInt32 = try watch["floor"]
        guard floor > 0 else { return }
        let origin: UInt32 = try watch["floorOrigin"]
        let lost = try WatchRuns.floor(
            db, watch: peer.column, floor, origin: origin == 0 ? nil : origin, ForgottenWatch(db, watch: peer.column)
        ).lost
        if origin != 0, try origin != (watch["peerEpoch"] as UInt32) {
            try WatchRuns.settle(db, watch: peer.column, upTo: floor, of: origin)
        }
        try db.execute(
            cached: "UPDATE peer SET queuedApplied = max(queuedApplied, floor), floor = 0 WHERE identity = ?",
            arguments: [peer.column])
        if lost > 0 { tell([WatchNews(peer, .lost(lost))]) }
    }

    /// Compares the checksum that a watch reported with the checksum of the rows that it should have. If the watch needs a
    /// repair, deletes the phone's record of its rows. The next transaction that brings the watch up to date then queues
    /// the whole list.
    ///
    /// - Parameter applied: the number of the last message from the phone that the watch had applied when it reported.
    /// - Returns: whether the watch needs a repair.
    @discardableResult
    private func compareRows(
        _ db: Database, _ peer: PeerIdentity, reported: UInt32, applied: UInt32
    ) throws -> Bool {
        guard let watch = try StoredRow.watch(db, peer.column) else { return false }
        let now = dependencies.now()
        let repairedAt: Date? = try watch["repairedAt"]
        let agreement = RowsAgreement(
            reported: reported, projection: try FeedStore.projection(watch),
            isComplete: applied == (try watch["issued"] as UInt32),
            sinceRepair: repairedAt.map { now.timeIntervalSince($0) })
        switch agreement {
        case .agreed, .repairedLately: return false
        case .repair:
            try db.execute(
                cached: """
                    UPDATE watch SET rows = NULL, repairs = min(repairs + 1, 4294967295), repairedAt = ?
                    WHERE identity = ?
                    """, arguments: [now.storedMilliseconds, peer.column])
            tell([WatchNews(peer, .otherRows)])
            return true
        }
    }

    func apply(_ db: Database, _ message: InboundMessage) throws -> ArrivalOutcome {
        let now = dependencies.now()
        try noteMeeting(db, message.peer, at: now)
        switch try ApplyTransaction(message: message, time: now, dependencies: dependencies).apply(db) {
        case .duplicate:
            tell(.due(message.peer))
            return .repeated
        case .repeatedValue: return .repeated
        case .done(let outcome, let title):
            tell(.applied(message, outcome, title: title))
            return ArrivalOutcome(outcome)
        }
    }

    func repeated(_ db: Database, _ message: InboundMessage) throws {
        let now = dependencies.now()
        try noteMeeting(db, message.peer, at: now)
        try ApplyTransaction(message: message, time: now, dependencies: dependencies).noteRepetition(db)
        tell(.due(message.peer))
    }

    private func noteMeeting(_ db: Database, _ peer: PeerIdentity, at time: Date) throws {
        try db.execute(
            cached: "UPDATE watch SET lastMetAt = ? WHERE identity = ?",
            arguments: [time.storedMilliseconds, peer.column])
    }

    /// Compares the rows that the watch reports with those that it should have. If the watch has rejected a `list` message,
    /// it gets the whole list at the next change or connection.
    func acknowledged(
        _ db: Database, _ acknowledgement: Acknowledgement, rejected: [MessageName], before: PeerRow
    ) throws {
        let peer = before.identity
        if rejected.contains(where: { FeedProjection.isLost(rejecting: $0.text) }) {
            try db.execute(cached: "UPDATE watch SET rows = NULL WHERE identity = ?", arguments: [peer.column])
        }
        guard let row = try StoredRow.watch(db, peer.column) else { return }
        var isDue =
            try before.waiting >= FeedStore.mostWaiting && !FeedStore.isQueueFull(row) || PendingReload.due(row) != nil
        if let check = acknowledgement.rowsCheck,
            try compareRows(db, peer, reported: check, applied: acknowledgement.queued)
        {
            isDue = true
        }
        if isDue { tell(.due(peer)) }
    }

    private func tell(_ notices: [WatchNews]) {
        for news in notices { tell(.noticed(news)) }
    }

    private func tell(_ event: MessageEvent) { store.connection.afterCommit { [report] in report(event) } }
}

extension MessageStore {
    convenience init(_ store: PhoneStore, report: @escaping @Sendable (MessageEvent) -> Void = { _ in }) {
        self.init(in: store.connection, delegate: WatchMessages(store: store, report: report))
    }
}

extension MessageName {
    init(_ message: ApplicationMessage) {
        self.init(stringLiteral: message.text)
    }
}
