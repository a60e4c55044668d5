import Foundation
import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The messages of the list feed, as parts of a transaction.
enum FeedStore {
    /// The most messages that wait for one watch before nothing but the answer to a reload is queued for it.
    static let mostWaiting = 256

    /// A program finds the queue of a watch full where this number of messages waits in it: half of it is for the list.
    static let mostWaitingOfPrograms = mostWaiting / 2

    /// Queues whatever one watch lacks, where the database knows it.
    static func bringUpToDate(_ db: Database, watch: Int64) throws {
        guard let row = try StoredRow.watch(db, watch) else { return }
        try bringUpToDate(db, row, watch: watch, to: PresentList(db))
    }

    /// Queues whatever one watch lacks, and notes that it has it. Where a reload waits and the answer before it has been
    /// acknowledged, that answer is the whole list.
    ///
    /// - Parameters:
    ///   - row: the row of the watch.
    ///   - list: the active list.
    /// - Returns: how many messages were queued.
    @discardableResult
    static func bringUpToDate(_ db: Database, _ row: StoredRow, watch: Int64, to list: PresentList) throws -> Int {
        let largestBody: UInt32 = try row["largestBody"]
        let applied = max(try row["queuedApplied"] as UInt32, try row["floor"] as UInt32)
        let reload = try PendingReload(row).due
        let queue = try OutgoingQueue(row)
        guard reload != nil || !queue.isFull else { return 0 }
        let batches = WatchFeed.batches(
            from: try projection(db, row), to: list.window, largestBody: Int(largestBody), reloadToken: reload?.token,
            beyond: reload?.extent == .everything ? try rowsBeyondWindow(db) : [])
        guard !batches.isEmpty else { return 0 }
        for batch in batches {
            let message = try batch.message(applied: applied)
            try QueueTable.feed(
                db, OutboundMessage(name: MessageName(message.name), payload: message.payload),
                to: PeerIdentity(stored: watch))
            switch batch.rows {
            case .given: for change in batch.changes { try note(db, change, given: watch) }
            case .beyond: break
            }
        }
        try db.execute(
            cached: "UPDATE watch SET given = 'rows', more = ? WHERE identity = ?",
            arguments: [batches[batches.count - 1].more, watch])
        if reload != nil { try PendingReload.answered(db, watch: watch) }
        return batches.count
    }

    /// The values of the column `watch.given`.
    private enum Given: String {
        case nothing
        case rows
    }

    /// Deletes a watch's projection, so that everything is queued for it again.
    static func forget(_ db: Database, watch: Int64) throws {
        try db.execute(cached: "DELETE FROM projection WHERE watch = ?", arguments: [watch])
        try db.execute(
            cached: "UPDATE watch SET given = 'nothing', more = 0, reloadAnswer = 0 WHERE identity = ?",
            arguments: [watch]
        )
    }

    /// Publishes the title and the time line where they have changed, and queues what the face should show at once.
    static func publishLatest(
        _ db: Database, _ present: PresentList, _ dependencies: PhoneDependencies
    ) throws -> LatestPublication {
        let latest = try LatestFeed(db, present, dependencies)
        let title = try LatestStore.publish(db, try latest.title())
        let past = try PastItemTable.publish(db, present, dependencies)
        return try ComplicationStore.publish(db, latest, dependencies).joined(title).joined(past)
    }

    /// The active list, and what every watch should have of it.
    struct PresentList {
        let list: ListRecord
        let window: FeedWindow
        /// The whole title of the first row, nil where there is none.
        let first: String?

        init(_ db: Database) throws {
            list = try ListRecord.find(db, name: nil)
            let rows = try openRows(db, of: list, limit: FeedWindow.capacity)
            first = rows.first?.title
            let total =
                rows.count < FeedWindow.capacity
                ? UInt32(rows.count)
                : try UInt32.fetchOne(
                    db, cached: "SELECT count(*) FROM item WHERE list = ? AND checkedAt IS NULL",
                    arguments: [list.number])
            window = FeedWindow(rows: rows.map(\.row), total: total ?? 0)
        }
    }

    /// The open items of the active list behind the window.
    private static func rowsBeyondWindow(_ db: Database) throws -> [FeedRow] {
        try openRows(db, of: try ListRecord.find(db, name: nil), limit: nil, offset: FeedWindow.capacity).map(\.row)
    }

    private static func openRows(
        _ db: Database, of list: ListRecord, limit: Int?, offset: Int = 0
    ) throws -> [(row: FeedRow, title: String)] {
        try StoredRow.all(
            db, of: "item",
            sql: """
                SELECT id, rank, title, amount, note FROM item WHERE list = ? AND checkedAt IS NULL
                ORDER BY rank, id LIMIT ? OFFSET ?
                """, arguments: [list.number, limit ?? -1, offset]
        ).map {
            let title: String = try $0["title"]
            let id: UInt32 = try $0["id", 1...UInt32.max]
            let detail = ItemDetail(amount: try $0["amount"], note: try $0["note"])
            return (
                FeedRow(
                    id: id, rank: try $0["rank"],
                    title: ItemTitle(cutting: detail.text(behind: title, fitting: ItemTitle.capacity))), title
            )
        }
    }

    /// What a watch has, or will have once it has applied its queue.
    static func projection(_ db: Database, _ watch: StoredRow) throws -> FeedProjection {
        guard try watch[case: "given"] == Given.rows else { return .nothing }
        let identity: Int64 = try watch["identity"]
        var stale: Set<UInt32> = []
        let rows = try StoredRow.all(
            db, of: "projection", sql: "SELECT * FROM projection WHERE watch = ? ORDER BY rank, item",
            arguments: [identity]
        ).map { row in
            let title: String = try row["title"]
            let item: UInt32 = try row["item", 1...UInt32.max]
            if try row["stale"] { stale.insert(item) }
            return FeedRow(
                id: item, rank: try row["rank"],
                title: ItemTitle(utf8: Array(title.utf8).span, completeness: try row["cut"] ? .cut : .whole))
        }
        return .rows(rows, more: try watch["more"], stale: stale)
    }

    /// A watch has sent a check-off of this item, so it has taken the row off: the next round sends the row, or its
    /// removal, again.
    static func checkOffArrived(_ db: Database, of item: UInt32, from watch: Int64) throws {
        try db.execute(
            cached: "UPDATE projection SET stale = 1 WHERE watch = ? AND item = ?", arguments: [watch, item])
    }

    /// A watch has sent an addition of this item, so it has put the row on its list: the next round sends the row, or its removal.
    static func additionArrived(_ db: Database, of item: UInt32, title: String, from watch: Int64) throws {
        let title = ItemTitle(cutting: title)
        try db.execute(
            cached: "INSERT OR IGNORE INTO projection (watch, item, rank, title, cut, stale) VALUES (?, ?, 0, ?, ?, 1)",
            arguments: [watch, item, title.text, title.completeness.rawValue])
        try checkOffArrived(db, of: item, from: watch)
    }

    private static func note(_ db: Database, _ change: ListChange, given watch: Int64) throws {
        switch change {
        case .clear: try db.execute(cached: "DELETE FROM projection WHERE watch = ?", arguments: [watch])
        case .remove(let item):
            try db.execute(cached: "DELETE FROM projection WHERE watch = ? AND item = ?", arguments: [watch, item])
        case .put(let item, let rank, let title):
            try db.execute(
                cached: "INSERT OR REPLACE INTO projection (watch, item, rank, title, cut) VALUES (?, ?, ?, ?, ?)",
                arguments: [watch, item, rank, title.text, title.completeness.rawValue])
        }
    }
}

/// The latest values, as parts of a transaction.
enum LatestStore {
    /// The most names with a value that can be read by name, ours included.
    static let mostNames = 64

    /// Takes a value that a watch has passed, nil for a cleared one; or says that there is no room for another name.
    static func accept(
        _ db: Database, _ name: MessageName, _ payload: [UInt8]?, of message: InboundMessage
    ) throws -> ArrivalOutcome {
        // The feed's own names are unknown as those of a watch, and a value under an unknown name is acknowledged and not kept.
        guard ApplicationMessage(text: name.text) == nil else { return .applied }
        let others =
            try Int.fetchOne(db, cached: "SELECT count(*) FROM mailbox WHERE name <> ?", arguments: [name.text]) ?? 0
        guard payload == nil || others < mostNames else { return .rejected(.noRoom) }
        guard let row = try PeerRow.find(db, message.peer) else { throw WormholeError.unknownPeer }
        return try ValueTable.take(db, name, payload, of: message, row)
    }

    /// Gives the name of a message of the feed its value for every watch, unless it has that already.
    static func publish(_ db: Database, _ message: FeedMessage) throws -> LatestPublication.Outcome {
        guard try published(db, message.name) != message.payload else { return .unchanged }
        try ValueTable.replace(db, MessageName(message.name), with: message.payload, for: .everyone)
        return .published
    }

    /// The value for every watch under the name of a message of the feed; nil before the first.
    static func published(_ db: Database, _ name: ApplicationMessage) throws -> [UInt8]? {
        try ValueTable.published(db, MessageName(name))
    }
}

extension PhoneStore {
    /// Queues what each of these watches lacks and publishes the latest values, in one transaction.
    func feed(_ watches: Set<PeerIdentity>) async throws(PhoneError) -> FeedRound {
        try await write { [dependencies] db in try FeedRound(db, for: watches, dependencies) }
    }

    /// What a round has done for watches.
    struct FeedRound {
        /// How many messages were queued.
        var queued = 0
        /// The watches for which there may be something new, nil for all of them.
        var recipients: Set<PeerIdentity>?
        /// Those that the database does not know, because they were forgotten.
        var forgotten: [PeerIdentity] = []
        /// When another round is due though nothing has changed, in local seconds since 1970; nil where none is.
        var nextLook: UInt32?
        /// Whether the active list was sorted.
        var order = ListOrder.Outcome.present

        /// Queues what each of these watches lacks, and publishes the latest values.
        init(_ db: Database, for watches: Set<PeerIdentity>, _ dependencies: PhoneDependencies) throws {
            order = try ListOrder(db, of: try ListRecord.find(db, name: nil), dependencies).settle(db)
            let list = try FeedStore.PresentList(db)
            let publication = try FeedStore.publishLatest(db, list, dependencies)
            nextLook = publication.nextLook
            if case .waiting(let end) = order { nextLook = min(nextLook ?? .max, dependencies.localSeconds(end)) }
            for watch in watches.sorted() {
                if let row = try StoredRow.watch(db, watch.stored) {
                    queued += try FeedStore.bringUpToDate(db, row, watch: watch.stored, to: list)
                } else {
                    forgotten.append(watch)
                }
            }
            switch publication.outcome {
            case .unchanged: recipients = watches
            case .published: break
            }
        }
    }
}
