import Foundation
import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The messages of the list feed, as parts of a transaction.
enum FeedStore {
    /// The most messages that wait for one watch. Above this, the phone queues only answers to reloads.
    static let mostWaiting = 256

    /// Other programs may queue messages until this many wait. The other half of the queue is for the list.
    static let mostWaitingOfPrograms = mostWaiting / 2

    static func isQueueFull(_ watch: StoredRow) throws -> Bool {
        let issued: UInt32 = try watch["issued"]
        return issued - (try watch["acknowledged", 0...issued]) >= mostWaiting
    }

    /// Queues whatever the watch lacks, if the database knows the watch.
    static func bringUpToDate(_ db: Database, watch: Int64) throws {
        guard let row = try StoredRow.watch(db, watch) else { return }
        try bringUpToDate(db, row, watch: watch, to: PresentList(db))
    }

    /// Queues whatever a watch lacks, and records that the watch has it. If a reload is due, this queues the whole list as its
    /// answer.
    ///
    /// - Parameters:
    ///   - row: the row of the watch.
    ///   - list: the active list.
    /// - Returns: the number of queued messages.
    @discardableResult
    static func bringUpToDate(_ db: Database, _ row: StoredRow, watch: Int64, to list: PresentList) throws -> Int {
        let largestBody: UInt32 = try row["largestBody"]
        let applied = max(try row["queuedApplied"] as UInt32, try row["floor"] as UInt32)
        let reload = try PendingReload.due(row)
        guard try reload != nil || !isQueueFull(row) else { return 0 }
        let batches = WatchFeed.batches(
            from: try projection(db, row), to: list.window, largestBody: Int(largestBody), reloadToken: reload?.token,
            beyond: reload?.extent == .everything ? try rowsBeyondWindow(db) : [])
        guard !batches.isEmpty else { return 0 }
        for batch in batches {
            let message = try batch.message(applied: applied)
            try QueueTable.feed(
                db, OutboundMessage(name: MessageName(message.name), payload: message.payload),
                to: PeerIdentity(column: watch))
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

    /// Deletes a watch's projection, so everything is queued for it again.
    static func forget(_ db: Database, watch: Int64) throws {
        try db.execute(cached: "DELETE FROM projection WHERE watch = ?", arguments: [watch])
        try db.execute(
            cached: "UPDATE watch SET given = 'nothing', more = 0, reloadAnswer = 0 WHERE identity = ?",
            arguments: [watch]
        )
    }

    /// Publishes the title, the past items and the time line if they have changed, and queues pushes of notes.
    static func publishLatest(
        _ db: Database, _ present: PresentList, _ dependencies: PhoneDependencies
    ) throws -> LatestPublication {
        let latest = try LatestFeed(db, present, dependencies)
        let title = try LatestStore.publish(db, try latest.title())
        let past = try PastItemTable.publish(db, present, dependencies)
        var publication = try ComplicationStore.publish(db, latest, dependencies)
        if title || past { publication.isNew = true }
        return publication
    }

    /// The active list, and the part of it that every watch should have.
    struct PresentList {
        let list: ListRecord
        let window: FeedWindow
        /// The whole title of the first row; nil if there are no rows.
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

    /// The open items of the active list after the window.
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

    /// What a watch has, or will have when it has applied its queue.
    static func projection(_ db: Database, _ watch: StoredRow) throws -> FeedProjection {
        let given: String = try watch["given"]
        guard given == "rows" else { return .nothing }
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

    /// Marks a row as stale, because the watch has checked it off and removed it. The next round sends the row, or its removal,
    /// again.
    static func checkOffArrived(_ db: Database, of item: UInt32, from watch: Int64) throws {
        try db.execute(
            cached: "UPDATE projection SET stale = 1 WHERE watch = ? AND item = ?", arguments: [watch, item])
    }

    /// Adds a stale row, because the watch has added this item to its list. The next round sends the row, or its removal.
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

/// The reload that a watch waits for. It waits until the watch acknowledges the previous answer, and a newer reload replaces it.
/// A watch that asks but does not read therefore has at most two answers.
enum PendingReload {
    /// The reload to answer now; nil if there is none, or the watch has not acknowledged the previous answer.
    static func due(_ watch: StoredRow) throws -> ReloadMessage? {
        guard let token: UInt32 = try watch["reloadToken"] else { return nil }
        let (answer, acknowledged): (UInt32, UInt32) = (try watch["reloadAnswer"], try watch["acknowledged"])
        guard answer <= acknowledged else { return nil }
        let extent: UInt32? = try watch["reloadExtent"]
        return ReloadMessage(token: token, extent: extent.flatMap(ReloadMessage.Extent.init(rawValue:)) ?? .given)
    }

    /// Stores a watch's reload, and replaces one that waits.
    static func request(_ db: Database, _ reload: ReloadMessage, watch: Int64) throws {
        try db.execute(
            cached: "UPDATE watch SET reloadToken = ?, reloadExtent = ? WHERE identity = ?",
            arguments: [reload.token, reload.extent.rawValue, watch])
    }

    /// Marks the reload as answered. The answer ends with the newest message in the queue.
    static func answered(_ db: Database, watch: Int64) throws {
        try db.execute(
            cached: """
                UPDATE watch SET reloadToken = NULL, reloadExtent = NULL,
                    reloadAnswer = (SELECT issued FROM peer WHERE identity = :watch)
                WHERE identity = :watch
                """, arguments: ["watch": watch])
    }
}

extension StoredRow {
    /// The row of a watch joined with its streams; nil if the database does not know the watch.
    static func watch(_ db: Database, _ identity: Int64) throws -> StoredRow? {
        try one(
            db, of: "watch", sql: "SELECT * FROM peer JOIN watch USING (identity) WHERE identity = ?",
            arguments: [identity])
    }
}

/// Reads and writes the latest values. Each call is part of a transaction.
enum LatestStore {
    /// The most names with a readable value, including Tapline's own.
    static let mostNames = 64

    /// Accepts a watch's value, nil for a cleared one. Rejects a new name if there is no room for it.
    static func accept(
        _ db: Database, _ name: MessageName, _ payload: [UInt8]?, of message: InboundMessage
    ) throws -> ArrivalOutcome {
        // A watch's value under a name of the feed is acknowledged but not stored, like one under an unknown name.
        guard ApplicationMessage(text: name.text) == nil else { return .applied }
        let others =
            try Int.fetchOne(db, cached: "SELECT count(*) FROM mailbox WHERE name <> ?", arguments: [name.text]) ?? 0
        guard payload == nil || others < mostNames else { return .rejected(.noRoom) }
        guard let row = try PeerRow.find(db, message.peer) else { throw WormholeError.unknownPeer }
        return try ValueTable.take(db, name, payload, of: message, row)
    }

    /// Sets the value for every watch under the name of a feed message. Returns whether the value changed.
    static func publish(_ db: Database, _ message: FeedMessage) throws -> Bool {
        guard try published(db, message.name) != message.payload else { return false }
        try ValueTable.replace(db, MessageName(message.name), with: message.payload, for: .everyone)
        return true
    }

    /// The value for every watch under the name of a feed message; nil before the first.
    static func published(_ db: Database, _ name: ApplicationMessage) throws -> [UInt8]? {
        try ValueTable.published(db, MessageName(name))
    }
}

extension PhoneStore {
    /// The result of one round for watches.
    struct FeedRound {
        /// The number of queued messages.
        var queued = 0
        /// The watches that may have something new; nil for all.
        var recipients: Set<PeerIdentity>?
        /// Watches that the database does not know, because they were forgotten.
        var forgotten: [PeerIdentity] = []
        /// When time alone requires another round, in local seconds since 1970; nil if it does not.
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
                if let row = try StoredRow.watch(db, watch.column) {
                    queued += try FeedStore.bringUpToDate(db, row, watch: watch.column, to: list)
                } else {
                    forgotten.append(watch)
                }
            }
            if !publication.isNew { recipients = watches }
        }
    }
}
