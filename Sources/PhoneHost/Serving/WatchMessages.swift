import Foundation
import GRDB
import ListFeed
import WatchLink
import Wormhole

/// What the server reacts to: the result of a transaction with a watch, or a change that another program announced.
enum MessageEvent: Equatable, Sendable {
    /// A watch connected, so its queue may have grown.
    case connecting(PeerIdentity)
    case noticed(WatchNews)
    /// Something can be queued for a watch that could not before.
    case due(PeerIdentity)
    /// There are new latest values for every watch.
    case published
    /// A message of a watch was applied, and the lists may have changed.
    case applied(InboundMessage, ApplyOutcome, title: String?)
}

/// The phone's part in the transactions of its message store. One transaction applies a check-off, writes it into the history and
/// notes that it is applied; one transaction queues rows for a watch and notes that the watch has them.
struct WatchMessages: MessageStoreDelegate {
    private let store: PhoneStore
    private let report: @Sendable (MessageEvent) -> Void
    private var dependencies: PhoneDependencies { store.dependencies }

    /// - Parameter report: called after each transaction that changed something, in order for each watch.
    init(_ store: PhoneStore, report: @escaping @Sendable (MessageEvent) -> Void) {
        self.store = store
        self.report = report
    }

    var mostWaiting: Int { FeedStore.mostWaitingOfPrograms }

    func failure(_ error: any Error) -> WormholeError { .storage(PhoneError(error, path: store.path).description) }

    func isFree(_ name: MessageName) -> Bool { ApplicationMessage(text: name.text) == nil }

    /// Refuses a bonded device that claims the identity of another.
    func admits(_ db: Database, _ peer: PeerIdentity, from device: TransportPeer) throws -> Bool {
        guard try WatchBond.obstacle(db, to: device, being: peer.stored) != nil else { return true }
        tell([WatchNews(peer, .claimed)])
        return false
    }

    /// A watch gets a new epoch and everything from the beginning where it is new here, where it does not remember the
    /// epoch of its messages, and where it remembers more of them than this database has, or fewer than it has
    /// acknowledged.
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
                let repair = RowsRepair(reported: check, applied: hello.queuedApplied)
                tell(try repair.compare(db, peer, at: dependencies.now()))
            }
        case .goOn: break
        case .startOver: try FeedStore.forget(db, watch: peer.stored)
        }
        try FeedStore.bringUpToDate(db, watch: peer.stored)
    }

    func heard(_ db: Database, from peer: PeerIdentity) throws {
        tell(try LostMessages.settle(db, peer))
    }

    func apply(_ db: Database, _ message: InboundMessage) throws -> ArrivalOutcome {
        let now = dependencies.now()
        try noteMeeting(db, message.peer, at: now)
        switch try ApplyTransaction(message, at: now, dependencies).apply(db) {
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
        try ApplyTransaction(message, at: now, dependencies).noteRepetition(db)
        tell(.due(message.peer))
    }

    private func noteMeeting(_ db: Database, _ peer: PeerIdentity, at time: Date) throws {
        try db.execute(
            cached: "UPDATE watch SET lastMetAt = ? WHERE identity = ?",
            arguments: [time.storedMilliseconds, peer.stored])
    }

    /// Compares the rows that the watch reports. One that rejected a change of the list is sent the whole list at the next change
    /// or connection.
    func acknowledged(
        _ db: Database, _ acknowledgement: Acknowledgement, rejected: [MessageName], before: PeerRow
    ) throws {
        let peer = before.identity
        if rejected.contains(where: { FeedProjection.isLost(rejecting: $0.text) }) {
            try db.execute(cached: "UPDATE watch SET given = 'nothing' WHERE identity = ?", arguments: [peer.stored])
        }
        guard let row = try StoredRow.watch(db, peer.stored) else { return }
        var isDue =
            try before.waiting >= FeedStore.mostWaiting && !FeedStore.isQueueFull(row) || PendingReload.due(row) != nil
        if let check = acknowledgement.rowsCheck {
            let repair = RowsRepair(reported: check, applied: acknowledgement.queued)
            let repaired = try repair.compare(db, peer, at: dependencies.now())
            isDue = isDue || !repaired.isEmpty
            tell(repaired)
        }
        if isDue { tell(.due(peer)) }
    }

    private func tell(_ notices: [WatchNews]) {
        for news in notices { tell(.noticed(news)) }
    }

    private func tell(_ event: MessageEvent) { store.connection.afterCommit { [report] in report(event) } }
}

extension MessageStore {
    /// The message store in the phone's database.
    ///
    /// - Parameter report: called after each transaction that changed something, in order for each watch.
    convenience init(_ store: PhoneStore, report: @escaping @Sendable (MessageEvent) -> Void = { _ in }) {
        self.init(in: store.connection, delegate: WatchMessages(store, report: report))
    }
}

extension PeerIdentity {
    /// The identity as the database keeps it: the same 64 bits.
    var stored: Int64 { column }

    init(stored: Int64) {
        self.init(column: stored)
    }
}

extension MessageName {
    init(_ message: ApplicationMessage) {
        self.init(stringLiteral: message.text)
    }
}
