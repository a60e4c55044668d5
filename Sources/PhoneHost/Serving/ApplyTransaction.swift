import Foundation
import GRDB
import WatchLink
import Wormhole

/// Applies one message from a watch, within the caller's database transaction.
struct ApplyTransaction {
    enum Result {
        /// The history already has this message, so the lists do not change.
        case duplicate
        /// A restarted watch has sent a value again. The phone already had that value, so nothing changes.
        case repeatedValue
        /// The message is now applied or rejected. `title` is the title of its item; nil if the message has no known item.
        case done(ApplyOutcome, title: String?)
    }

    let message: InboundMessage
    let time: Date
    let dependencies: PhoneDependencies

    /// Applies the message. The caller has checked that the message store does not list the message's number as applied.
    /// The history may still have the message, for example if the phone has forgotten the watch.
    func apply(_ db: Database) throws -> Result {
        switch message.content {
        case .queued(let name, let payload):
            guard let message = ApplicationMessage(text: name.text) else {
                // Another program on this machine takes the message.
                let outcome = try InboxTable.enter(
                    db, name, payload, of: self.message, atMost: ApplyTransaction.mostWaiting)
                return .done(outcome, title: nil)
            }
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

    /// The maximum number of messages from watches that wait for other programs on this machine. Further messages are
    /// rejected.
    static let mostWaiting = 1_024

    /// Applies a queued message of the shopping list. Rejects the kinds that only watches accept.
    private func apply(_ db: Database, _ message: ApplicationMessage, _ payload: [UInt8]) throws -> Result {
        switch message {
        case .check: try check(db, payload)
        case .add: try add(db, payload)
        case .reload: .done(try reload(db, payload), title: nil)
        case .list, .title, .complication, .past: .done(.rejected(.unknownName), title: nil)
        }
    }

    /// If a repeated message checks off or adds an item, marks the item's row as stale, because the watch has changed the
    /// row in its own list. The phone then sends the row, or its removal.
    func noteRepetition(_ db: Database) throws {
        guard case .queued(let name, let payload) = message.content else { return }
        switch ApplicationMessage(text: name.text) {
        case .check:
            guard let check: CheckMessage = decode(payload) else { return }
            try FeedStore.checkOffArrived(db, of: check.item, from: message.peer.column)
        case .add:
            guard let addition: AddMessage = decode(payload) else { return }
            try FeedStore.additionArrived(db, of: addition.item, title: "", from: message.peer.column)
        case .list, .title, .complication, .reload, .past, nil: return
        }
    }

    /// Checks an item off. If the item is unknown, rejects the message and records that in the history.
    private func check(_ db: Database, _ payload: [UInt8]) throws -> Result {
        guard let check: CheckMessage = decode(payload) else { return .done(.rejected(.malformed), title: nil) }
        try FeedStore.checkOffArrived(db, of: check.item, from: message.peer.column)
        var item = ItemIdentifier(rawValue: check.item)
        var title = try String.fetchOne(db, cached: "SELECT title FROM item WHERE id = ?", arguments: [item.rawValue])
        if title == nil, let other = try openItem(db, besideAdded: item) { (item, title) = (other.id, other.title) }
        let tap = WatchTap(
            watch: message.peer.rawValue, epoch: message.origin, sequence: message.sequence, tap: check.tap,
            localTime: check.localTime)
        guard try !History.has(db, tap) else { return .duplicate }
        let outcome = try ItemEdits.apply(
            db, ListEdit(item: item, action: .check(at: time)), origin: .watch(tap), storedAt: time)
        switch outcome {
        case .changed, .unchanged: return .done(.applied, title: title)
        case .unknownItem: return .done(.rejected(.refused), title: nil)
        }
    }

    /// Records that the watch asks for its rows again, and queues them if possible. The watch asks either for the first 128
    /// rows of the list or for all.
    private func reload(_ db: Database, _ payload: [UInt8]) throws -> ApplyOutcome {
        guard let reload: ReloadMessage = decode(payload) else { return .rejected(.malformed) }
        try PendingReload.request(db, reload, watch: message.peer.column)
        try FeedStore.bringUpToDate(db, watch: message.peer.column)
        return .applied
    }

    func decode<Message: LinkMessage>(_ payload: [UInt8]) -> Message? {
        var reader = CBORReader(payload.span)
        return try? Message(from: &reader)
    }
}
