import Foundation
import GRDB
import WatchLink
import Wormhole

/// What the link keeps, in the phone's own database: a check-off is applied, written into the history and noted as
/// applied in one transaction, and what a watch has been given is noted together with the message that gives it.
struct PhoneMessageStore: Persisting {
    /// What happened, for whoever serves.
    enum Event: Equatable, Sendable {
        /// A watch connected, so its queue may be longer than it was.
        case met(PeerIdentity)
        /// A message of a watch was applied, and the lists may have changed.
        case applied(InboundMessage, ApplyOutcome, title: String?)
    }

    private let store: PhoneStore
    private let report: @Sendable (Event) -> Void

    /// The messages in the database of `store`.
    ///
    /// - Parameter report: called after each transaction that changed something, in order for each watch.
    init(_ store: PhoneStore, report: @escaping @Sendable (Event) -> Void = { _ in }) {
        self.store = store
        self.report = report
    }

    /// The host's identity, which the database has had from the beginning.
    func identity(proposal: UInt64) async throws(WormholeError) -> UInt64 {
        try await storage { () throws(PhoneError) in try await store.identity() }
    }

    /// The watches that ever said hello.
    func peers() async throws(WormholeError) -> [PeerIdentity] {
        try await storage { () throws(PhoneError) in
            try await store.read { try Int64.fetchAll($0, sql: "SELECT identity FROM watch") }
        }.map { PeerIdentity(rawValue: UInt64(bitPattern: $0)) }.sorted()
    }

    /// Looks a watch up that has said hello, and queues what it lacks.
    ///
    /// A watch that is new here, or that does not remember the epoch of what it was sent, or that remembers more of it
    /// than this database does or less than it has acknowledged, gets a new epoch and everything from the beginning.
    func resume(
        _ peer: PeerIdentity, meeting: PeerHandshake?, newEpoch: UInt32
    ) async throws(WormholeError) -> PeerStreams {
        let surroundings = store.surroundings
        let streams = try await storage { () throws(PhoneError) in
            try await store.write { db in
                try WatchHandshake(peer: peer, meeting: meeting, newEpoch: newEpoch).resume(db, surroundings)
            }
        }
        report(.met(peer))
        return streams
    }

    /// Puts a message at the end of a watch's queue.
    func append(_ message: OutboundMessage, to peer: PeerIdentity) async throws(WormholeError) -> UInt32 {
        let sequence = try await storage { () throws(PhoneError) in
            try await store.write { try FeedStore.append($0, message, to: peer.stored) }
        }
        guard let sequence else { throw .unknownPeer }
        return sequence
    }

    /// The message with that sequence in a watch's queue.
    func queued(_ sequence: UInt32, to peer: PeerIdentity) async throws(WormholeError) -> OutboundMessage? {
        let message = try await storage { () throws(PhoneError) in
            try await store.read { db in
                try Row.fetchOne(
                    db, sql: "SELECT name, payload FROM outgoing WHERE watch = ? AND sequence = ?",
                    arguments: [peer.stored, sequence]
                ).map { (name: $0["name"] as String, payload: $0["payload"] as Data) }
            }
        }
        guard let message else { return nil }
        return OutboundMessage(name: try MessageName(message.name), payload: Array(message.payload))
    }

    /// Replaces the value of a name.
    func replace(_ value: OutboundValue, for recipients: Recipients) async throws(WormholeError) -> UInt32 {
        let watch: Int64 =
            switch recipients {
            case .everyone: 0
            case .only(let peer): peer.stored
            }
        let payload: Data? =
            switch value.content {
            case .value(let bytes): Data(bytes)
            case .cleared: nil
            }
        return try await storage { () throws(PhoneError) in
            try await store.write { db in
                try LatestStore.replace(db, name: value.name.text, watch: watch, payload: payload)
            }
        }
    }

    /// The value with the lowest revision above `revision` that is meant for a watch.
    func value(after revision: UInt32, for peer: PeerIdentity) async throws(WormholeError) -> RevisedValue? {
        let found = try await storage { () throws(PhoneError) in
            try await store.read { db in
                try Row.fetchOne(
                    db,
                    sql: """
                        SELECT name, revision, payload FROM latest
                        WHERE revision > ? AND watch IN (0, ?) ORDER BY revision LIMIT 1
                        """, arguments: [revision, peer.stored]
                ).map {
                    (name: $0["name"] as String, revision: $0["revision"] as UInt32, payload: $0["payload"] as Data?)
                }
            }
        }
        guard let found else { return nil }
        let content = found.payload.map { OutboundValue.Content.value(Array($0)) } ?? .cleared
        return RevisedValue(
            revision: found.revision, value: OutboundValue(name: try MessageName(found.name), content: content))
    }

    /// The highest sequence and the highest revision that were ever issued to a watch.
    func issued(to peer: PeerIdentity) async throws(WormholeError) -> IssuedPositions {
        try await storage { () throws(PhoneError) in
            try await store.read { db in
                let queued = try UInt32.fetchOne(
                    db, sql: "SELECT queuedIssued FROM watch WHERE identity = ?", arguments: [peer.stored])
                return IssuedPositions(queued: queued ?? 0, latest: try LatestStore.issued(db, to: peer.stored))
            }
        }
    }

    /// A watch has applied messages: they leave its queue. One that it refused a change of the list of has to be given
    /// the list anew, which it is at the next change or connection.
    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) async throws(WormholeError) {
        try await storage { () throws(PhoneError) in
            try await store.write { try WatchHandshake.acknowledged($0, acknowledgement, by: peer.stored) }
        }
    }

    /// Applies a message of a watch in one transaction with the note that it is applied.
    func apply(_ message: InboundMessage) async throws(WormholeError) -> ApplyOutcome {
        let now = store.surroundings.now()
        let applied = try await storage { () throws(PhoneError) in
            try await store.write { try ApplyTransaction(message, at: now).apply($0) }
        }
        switch applied {
        case .duplicate: return .applied
        case .done(let outcome, let title):
            report(.applied(message, outcome, title: title))
            return outcome
        }
    }

    /// The value that was last replaced or applied under a name.
    func currentValue(under name: MessageName) async throws(WormholeError) -> [UInt8]? {
        try await storage { () throws(PhoneError) in
            try await store.read { db in
                try Data.fetchOne(db, sql: "SELECT payload FROM mailbox WHERE name = ?", arguments: [name.text])
            }
        }.map(Array.init)
    }

    /// The names that have a value.
    func namesWithValue() async throws(WormholeError) -> [MessageName] {
        let names = try await storage { () throws(PhoneError) in
            try await store.read { try String.fetchAll($0, sql: "SELECT name FROM mailbox ORDER BY name") }
        }
        return names.compactMap { try? MessageName($0) }
    }

    /// Runs a step of the store in the terms of the link.
    private func storage<Value>(
        _ body: () async throws(PhoneError) -> Value
    ) async throws(WormholeError) -> Value {
        do {
            return try await body()
        } catch {
            throw .storage(error.description)
        }
    }
}

extension PeerIdentity {
    /// The identity as the database keeps it: the same 64 bits.
    var stored: Int64 { Int64(bitPattern: rawValue) }
}
