import Foundation
import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The link's messages in the phone's own database. One transaction applies a check-off, writes it into the history and
/// notes that it is applied; one transaction queues rows for a watch and notes that the watch has them.
struct PhoneMessageStore: Persisting, KeepingArrivals {
    enum Event: Equatable, Sendable {
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

    private let store: PhoneStore
    private let report: @Sendable (Event) -> Void

    /// - Parameter report: called after each transaction that changed something, in order for each watch.
    init(_ store: PhoneStore, report: @escaping @Sendable (Event) -> Void = { _ in }) {
        self.store = store
        self.report = report
    }

    func identity(proposal: UInt64) async throws(WormholeError) -> UInt64 {
        try await read { try PhoneStore.identity($0) }
    }

    func peers() async throws(WormholeError) -> [PeerIdentity] {
        try await read { try Int64.fetchAll($0, cached: "SELECT identity FROM watch") }
            .map { PeerIdentity(rawValue: UInt64(bitPattern: $0)) }.sorted()
    }

    /// Refuses a bonded device that claims the identity of another.
    func admits(_ peer: PeerIdentity, from device: TransportPeer) async throws(WormholeError) -> Bool {
        let obstacle = try await read { try WatchBond.obstacle($0, to: device, being: peer.stored) }
        guard obstacle != nil else { return true }
        report(.noticed(WatchNews(peer, .claimed)))
        return false
    }

    /// Enters a watch that has said hello, and queues what it lacks.
    ///
    /// A watch gets a new epoch and everything from the beginning where it is new here, where it does not remember the
    /// epoch of its messages, and where it remembers more of them than this database has, or fewer than it has
    /// acknowledged.
    func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) async throws(WormholeError) -> PeerStreams {
        let dependencies = store.dependencies
        let (streams, meeting) = try await write { db in
            var meeting = WatchHandshake(peer: peer, handshake: handshake, newEpoch: newEpoch)
            return (try meeting.resume(db, dependencies), meeting)
        }
        FileSystem.discard(meeting.leftFiles)
        report(.connecting(peer))
        for news in meeting.notices { report(.noticed(news)) }
        switch meeting.latest {
        case .unchanged: break
        case .published: report(.published)
        }
        return streams
    }

    func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) async throws(WormholeError) -> IssuedMessage {
        try PhoneMessageStore.checkName(message.name)
        return try await write { try PassedMessages.append($0, message, to: peer, paying: payment) }.get()
    }

    func complicationBudget(of peer: PeerIdentity) async throws(WormholeError) -> ComplicationBudget {
        try await read { try BudgetTable.budget($0, of: peer) }
    }

    /// The feed's messages and those that programs have passed, which share the numbers of one queue. A phone's messages have no
    /// origin, because its watch says which run it has followed.
    func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) async throws(WormholeError) -> [QueuedMessage] {
        try await read { db in
            let fed = try StoredRow.all(
                db, of: "outgoing",
                sql: """
                    SELECT sequence, name, payload FROM outgoing WHERE watch = ? AND sequence >= ?
                    ORDER BY sequence LIMIT ?
                    """, arguments: [peer.stored, sequence, most]
            ).map { row in
                let message = OutboundMessage(name: try row["name"], payload: try row["payload"])
                return QueuedMessage(sequence: try row["sequence"], content: .message(message, .nothing))
            }
            let passed = try QueueTable.messages(db, to: peer, from: sequence, most: most)
            let all = (fed + passed).sorted { $0.sequence < $1.sequence }
            return Array(all.withoutGaps(from: sequence).prefix(most))
        }
    }

    func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) async throws(WormholeError) -> UInt32 {
        try PhoneMessageStore.checkName(name)
        return try await write { try LatestStore.replace($0, name.text, with: payload, for: recipients) }
    }

    /// The feed puts its messages into the database itself: whoever passes under one of its names is another program.
    private static func checkName(_ name: MessageName) throws(WormholeError) {
        guard ApplicationMessage(text: name.text) == nil else { throw .reservedName(name) }
    }

    func value(after revision: UInt32, for peer: PeerIdentity) async throws(WormholeError) -> RevisedValue? {
        try await read { db in
            try StoredRow.one(
                db, of: "latest",
                sql: """
                    SELECT name, revision, payload FROM latest
                    WHERE revision > ? AND watch IN (?, ?) ORDER BY revision LIMIT 1
                    """, arguments: [revision, Recipients.everyone.stored, peer.stored]
            ).map { RevisedValue(revision: try $0["revision"], name: try $0["name"], payload: try $0["payload"]) }
        }
    }

    func issued(to peers: [PeerIdentity]) async throws(WormholeError) -> [PeerIdentity: IssuedPositions] {
        try await read { db in
            var issued: [PeerIdentity: IssuedPositions] = [:]
            for peer in peers {
                let row = try StoredRow.one(
                    db, of: "watch", sql: "SELECT epoch, queuedIssued FROM watch WHERE identity = ?",
                    arguments: [peer.stored])
                issued[peer] = IssuedPositions(
                    epoch: try row?["epoch"] ?? 0, queued: try row?["queuedIssued"] ?? 0,
                    latest: try LatestStore.issued(db, to: peer.stored))
            }
            return issued
        }
    }

    /// A watch has applied messages, which leave its queue. One that rejected a change of the list is sent the whole list
    /// at the next change or connection.
    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) async throws(WormholeError) {
        let step = WatchAcknowledgement(acknowledgement: acknowledgement, peer: peer, time: store.dependencies.now())
        let (notices, isDue) = try await write { try step.apply($0) }
        for news in notices { report(.noticed(news)) }
        if isDue { report(.due(peer)) }
    }

    /// In one transaction. Where one of several cannot be applied, the first is by itself: no message is held up by those after
    /// it.
    func apply(_ messages: [InboundMessage]) async throws(WormholeError) -> [ArrivalOutcome] {
        do throws(WormholeError) {
            return try await applyTogether(messages[...])
        } catch {
            guard messages.count > 1 else { throw error }
            return try await applyTogether(messages.prefix(1))
        }
    }

    private func applyTogether(
        _ messages: ArraySlice<InboundMessage>
    ) async throws(WormholeError) -> [ArrivalOutcome] {
        let now = store.dependencies.now()
        let results = try await write { [dependencies = store.dependencies] db in
            try messages.map { message in
                var transaction = ApplyTransaction(message, at: now, dependencies)
                return (message, try transaction.apply(db), transaction.notices)
            }
        }
        return results.map { message, result, notices in
            for news in notices { report(.noticed(news)) }
            switch result {
            case .duplicate:
                report(.due(message.peer))
                return .repeated
            case .repeatedValue: return .repeated
            case .done(let outcome, let title):
                report(.applied(message, outcome, title: title))
                return ArrivalOutcome(outcome)
            }
        }
    }

    func inbox(after number: UInt64) async throws(WormholeError) -> [KeptMessage] {
        try await read { try InboxTable.messages($0, after: number) }
    }

    func take(_ number: UInt64) async throws(WormholeError) {
        try await write { try InboxTable.remove($0, number) }
    }

    func currentValue(under name: MessageName) async throws(WormholeError) -> [UInt8]? {
        try await read { db in
            try Data.fetchOne(db, cached: "SELECT payload FROM mailbox WHERE name = ?", arguments: [name.text])
        }.map(Array.init)
    }

    func namesWithValue() async throws(WormholeError) -> [MessageName] {
        try await read { db in
            try StoredRow.all(db, of: "mailbox", sql: "SELECT name FROM mailbox ORDER BY name").map { try $0["name"] }
        }
    }

    func outstanding() async throws(WormholeError) -> [OutstandingMessage] {
        try await read(QueueTable.outstanding)
    }

    func fate(of number: MessageNumber) async throws(WormholeError) -> MessageFate? {
        try await read { try QueueTable.fate($0, of: number) }
    }

    func place(of number: MessageNumber) async throws(WormholeError) -> QueuePlace? {
        try await read { try QueueTable.place($0, of: number) }
    }

    func withdraw(_ number: MessageNumber) async throws(WormholeError) -> QueuePlace? {
        try await write { try QueueTable.withdraw($0, number) }
    }

    func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) async throws(WormholeError) {
        try await write { try QueueTable.noteTooLarge($0, sequence, to: peer, bytes: bytes, limit: limit) }
    }

    /// One transaction, with its failure as the link reports it.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(WormholeError) -> Value {
        do throws(PhoneError) { return try await store.write(body) } catch { throw .storage(error.description) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(WormholeError) -> Value {
        do throws(PhoneError) { return try await store.read(body) } catch { throw .storage(error.description) }
    }
}

extension Recipients {
    /// The recipients as the column `latest.watch` keeps them: 0 for everyone.
    var stored: Int64 {
        switch self {
        case .everyone: 0
        case .only(let peer): peer.stored
        }
    }
}

extension MessageName {
    init(_ message: ApplicationMessage) {
        self.init(stringLiteral: message.text)
    }
}
