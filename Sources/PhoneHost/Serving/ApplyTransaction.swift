import Foundation
import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The part of a transaction in which a message of a watch is applied.
struct ApplyTransaction {
    enum Result {
        /// It was applied before; nothing has changed.
        case duplicate
        /// It is applied or rejected now; `title` is that of the item that it concerned.
        case done(ApplyOutcome, title: String?)
    }

    private let message: InboundMessage
    private let time: Date

    init(_ message: InboundMessage, at time: Date) {
        self.message = message
        self.time = time
    }

    /// Applies the message and notes its number, unless it was applied before.
    func apply(_ db: Database) throws -> Result {
        guard try advance(db) else { return .duplicate }
        switch message.content {
        case .queued(let name, let payload): return try apply(db, ApplicationMessage(text: name.text), payload)
        case .latest(let name, let payload):
            return .done(try LatestStore.accept(db, name.text, payload), title: nil)
        case .cleared(let name):
            try LatestStore.deliver(db, name.text, nil)
            return .done(.applied, title: nil)
        case .nothing: return .done(.applied, title: nil)
        }
    }

    /// Applies a queued message. A name that is not for the phone is rejected.
    private func apply(_ db: Database, _ message: ApplicationMessage?, _ payload: [UInt8]) throws -> Result {
        switch message {
        case .check: try check(db, payload)
        case .reload: .done(try reload(db, payload), title: nil)
        case .list, .title, .complication, nil: .done(.rejected(.unknownName), title: nil)
        }
    }

    /// Notes the number of the message as applied; returns whether it is new.
    private func advance(_ db: Database) throws -> Bool {
        let watch = message.peer.stored
        guard
            let row = try StoredRow.one(
                db, of: "watch", sql: "SELECT peerEpoch, queuedApplied, latestApplied FROM watch WHERE identity = ?",
                arguments: [watch])
        else { throw PhoneError.storage(path: nil, reason: "watch \(message.peer) has not said hello") }
        let isSameEpoch = try row["peerEpoch"] == message.epoch
        var queued: UInt32 = isSameEpoch ? try row["queuedApplied"] : 0
        var latest: UInt32 = isSameEpoch ? try row["latestApplied"] : 0
        switch message.content.delivery {
        case .latest:
            guard message.sequence > latest else { return false }
            latest = message.sequence
        case .queued, .interactive, .complication, .file:
            guard message.sequence > queued else { return false }
            queued = message.sequence
        }
        try db.execute(
            sql: """
                UPDATE watch SET peerEpoch = ?, queuedApplied = ?, latestApplied = ?, lastMetAt = ? WHERE identity = ?
                """, arguments: [message.epoch, queued, latest, time.storedMilliseconds, watch])
        return true
    }

    /// Checks the item off. An unknown item is rejected, and written into the history.
    private func check(_ db: Database, _ payload: [UInt8]) throws -> Result {
        let check: CheckMessage
        do throws(CBORError) {
            check = try decode(payload)
        } catch {
            return .done(.rejected(.malformed), title: nil)
        }
        let item = ItemIdentifier(rawValue: check.item)
        let title = try String.fetchOne(db, sql: "SELECT title FROM item WHERE id = ?", arguments: [item.rawValue])
        let tap = WatchTap(
            watch: message.peer.rawValue, epoch: message.epoch, sequence: message.sequence, tap: check.tap,
            localTime: check.localTime)
        let outcome = try Edits.apply(
            db, ListEdit(item: item, action: .check(at: time)), origin: .watch(tap), storedAt: time)
        switch outcome {
        case .changed, .unchanged: return .done(.applied, title: title)
        case .unknownItem: return .done(.rejected(.refused), title: nil)
        }
    }

    /// Queues the list for the watch again, to the extent that it asks for.
    private func reload(_ db: Database, _ payload: [UInt8]) throws -> ApplyOutcome {
        let reload: ReloadMessage
        do throws(CBORError) {
            reload = try decode(payload)
        } catch {
            return .rejected(.malformed)
        }
        try PendingReload.request(db, reload, watch: message.peer.stored)
        try FeedStore.bringUpToDate(db, watch: message.peer.stored)
        return .applied
    }

    private func decode<Message: LinkMessage>(_ payload: [UInt8]) throws(CBORError) -> Message {
        var reader = CBORReader(payload.span)
        return try Message(from: &reader)
    }
}
