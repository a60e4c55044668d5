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
        /// A latest value that a restarted watch sends again; nothing has changed.
        case repeatedValue
        /// It is applied or rejected now; `title` is that of the item that it concerned.
        case done(ApplyOutcome, title: String?)
    }

    let message: InboundMessage
    let time: Date
    private let dependencies: PhoneDependencies
    /// What the owner should know.
    private(set) var notices: [WatchNews] = []

    init(_ message: InboundMessage, at time: Date, _ dependencies: PhoneDependencies) {
        self.message = message
        self.time = time
        self.dependencies = dependencies
    }

    /// Applies the message and notes its number, unless it was applied before.
    mutating func apply(_ db: Database) throws -> Result {
        guard try advance(db) else {
            try noteRepetition(db)
            return .duplicate
        }
        switch message.content {
        case .queued(let name, let payload):
            guard let message = ApplicationMessage(text: name.text) else { return try keep(db, name, payload) }
            return try apply(db, message, payload)
        case .latest(let name, let payload): return try accept(db, name, payload)
        case .cleared(let name): return try accept(db, name, nil)
        case .nothing: return .done(.applied, title: nil)
        }
    }

    private func accept(_ db: Database, _ name: MessageName, _ payload: [UInt8]?) throws -> Result {
        switch try LatestStore.accept(db, name, payload, of: message) {
        case .applied: .done(.applied, title: nil)
        case .repeated: .repeatedValue
        case .rejected(let reason): .done(.rejected(reason), title: nil)
        }
    }

    /// The most messages that wait for other programs. Further ones are rejected, because there is no room.
    static let mostWaiting = 1_024

    /// Keeps a queued message that is none of the list's, until a program takes it.
    private func keep(_ db: Database, _ name: MessageName, _ payload: [UInt8]) throws -> Result {
        var inbox = try InboxTable(db, most: ApplyTransaction.mostWaiting)
        return .done(try inbox.enter(db, name, payload, of: message), title: nil)
    }

    /// Applies a queued message of the list. A name that is not for the phone is rejected.
    private func apply(_ db: Database, _ message: ApplicationMessage, _ payload: [UInt8]) throws -> Result {
        switch message {
        case .check: try check(db, payload)
        case .add: try add(db, payload, dependencies)
        case .reload: .done(try reload(db, payload), title: nil)
        case .list, .title, .complication, .past: .done(.rejected(.unknownName), title: nil)
        }
    }

    /// Notes the number of the message as applied, in the watch's present run and in that of its origin; returns whether
    /// it is new.
    private mutating func advance(_ db: Database) throws -> Bool {
        let watch = message.peer.stored
        guard let row = try StoredRow.watch(db, watch) else {
            throw PhoneError.storage(path: nil, reason: "watch \(message.peer) has not said hello")
        }
        notices += try LostMessages.settle(db, row, message.peer)
        let before = try StoredRow.watch(db, watch).flatMap(WatchRuns.present)
        var present = AppliedMessages(epoch: message.epoch)
        if let before, before.epoch == message.epoch {
            present = before
        } else if let former = try WatchRuns.former(db, watch: watch, epoch: message.epoch) {
            present = former
        }
        let isNew: Bool
        switch message.content.delivery {
        case .latest:
            isNew = message.sequence > present.latest
            present.latest = max(present.latest, message.sequence)
        case .queued, .interactive, .complication, .file:
            isNew = try isNewOfItsOrigin(db, present)
            present.queued = max(present.queued, message.sequence)
        }
        try WatchRuns.store(db, watch: watch, present, after: before)
        try db.execute(
            cached: "UPDATE watch SET lastMetAt = ? WHERE identity = ?", arguments: [time.storedMilliseconds, watch])
        return isNew
    }

    /// Whether the queued message was not applied before, in whatever run; notes that it is now.
    private func isNewOfItsOrigin(_ db: Database, _ present: AppliedMessages) throws -> Bool {
        guard message.origin != present.epoch else { return present.isNew(queued: message.sequence) }
        let watch = message.peer.stored
        var origin =
            try WatchRuns.former(db, watch: watch, epoch: message.origin) ?? AppliedMessages(epoch: message.origin)
        guard origin.isNew(queued: message.sequence) else { return false }
        origin.queued = message.sequence
        try WatchRuns.remember(db, watch: watch, origin)
        return true
    }

    /// The watch has taken a row off, or put one on, with a message that has no effect any more: it gets the row, or its removal,
    /// again.
    private func noteRepetition(_ db: Database) throws {
        guard case .queued(let name, let payload) = message.content else { return }
        switch ApplicationMessage(text: name.text) {
        case .check:
            guard let check: CheckMessage = try? decode(payload) else { return }
            try FeedStore.checkOffArrived(db, of: check.item, from: message.peer.stored)
        case .add:
            guard let addition: AddMessage = try? decode(payload) else { return }
            try FeedStore.additionArrived(db, of: addition.item, title: "", from: message.peer.stored)
        case .list, .title, .complication, .reload, .past, nil: return
        }
    }

    /// Checks the item off. An unknown item is rejected, and written into the history.
    private func check(_ db: Database, _ payload: [UInt8]) throws -> Result {
        let check: CheckMessage
        do throws(CBORError) {
            check = try decode(payload)
        } catch {
            return .done(.rejected(.malformed), title: nil)
        }
        try FeedStore.checkOffArrived(db, of: check.item, from: message.peer.stored)
        let item = ItemIdentifier(rawValue: check.item)
        let title = try String.fetchOne(db, cached: "SELECT title FROM item WHERE id = ?", arguments: [item.rawValue])
        let tap = WatchTap(
            watch: message.peer.rawValue, epoch: message.origin, sequence: message.sequence, tap: check.tap,
            localTime: check.localTime)
        guard try !History.has(db, tap) else { return .duplicate }
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

    func decode<Message: LinkMessage>(_ payload: [UInt8]) throws(CBORError) -> Message {
        var reader = CBORReader(payload.span)
        return try Message(from: &reader)
    }
}
