import Foundation
import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The feed of the watches as parts of a transaction.
enum FeedStore {
    /// Queues whatever one watch lacks, together with the note that it has been given it; or what it asks for again.
    ///
    /// - Returns: how many messages were queued.
    @discardableResult
    static func bringUpToDate(_ db: Database, watch: Int64, reload: ReloadMessage? = nil) throws -> Int {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM watch WHERE identity = ?", arguments: [watch]) else {
            return 0
        }
        let window = try window(db)
        let batches = WatchFeed.batches(
            from: try projection(db, row), to: window, largestBody: row["largestBody"], reloadToken: reload?.token,
            beyond: reload?.extent == .everything ? try rowsBeyondWindow(db) : [])
        guard !batches.isEmpty else { return 0 }
        for batch in batches {
            try append(db, OutboundMessage(try batch.message()), to: watch)
            switch batch.rows {
            case .given: for change in batch.changes { try note(db, change, given: watch) }
            case .beyond: break
            }
        }
        try db.execute(
            sql: "UPDATE watch SET given = 'rows', more = ? WHERE identity = ?",
            arguments: [batches[batches.count - 1].more, watch])
        return batches.count
    }

    /// Puts a message at the end of a watch's queue.
    ///
    /// - Returns: its sequence; nil for a watch that never connected.
    @discardableResult
    static func append(_ db: Database, _ message: OutboundMessage, to watch: Int64) throws -> UInt32? {
        guard
            let sequence = try UInt32.fetchOne(
                db, sql: "UPDATE watch SET queuedIssued = queuedIssued + 1 WHERE identity = ? RETURNING queuedIssued",
                arguments: [watch])
        else { return nil }
        try db.execute(
            sql: "INSERT INTO outgoing (watch, sequence, name, payload) VALUES (?, ?, ?, ?)",
            arguments: [watch, sequence, message.name.text, Data(message.payload)])
        return sequence
    }

    /// Forgets what a watch has been given and all that is queued for it, so that it is given everything anew.
    static func forget(_ db: Database, watch: Int64) throws {
        try db.execute(sql: "DELETE FROM projection WHERE watch = ?", arguments: [watch])
        try db.execute(sql: "DELETE FROM outgoing WHERE watch = ?", arguments: [watch])
        try db.execute(
            sql: "UPDATE watch SET given = 'nothing', more = 0 WHERE identity = ?", arguments: [watch])
    }

    /// Publishes the title and the time line where they are not what they were.
    ///
    /// - Returns: how many of the two are new.
    @discardableResult
    static func publishLatest(_ db: Database, _ surroundings: PhoneDependencies) throws -> Int {
        let list = try ListRecord.find(db, name: nil)
        let trip = try History.lastCheckOff(db, of: list).map(surroundings.localSeconds)
        let changed: Int64 =
            try Int64.fetchOne(db, sql: "SELECT changedAt FROM list WHERE number = ?", arguments: [list.number]) ?? 0
        let window = try window(db)
        let first = try String.fetchOne(
            db, sql: "SELECT title FROM item WHERE list = ? AND checkedAt IS NULL ORDER BY rank, id LIMIT 1",
            arguments: [list.number])
        let latest = LatestFeed(
            listName: list.name, remaining: window.total, next: first,
            changed: surroundings.localSeconds(Date(storedMilliseconds: changed)), lastTrip: trip)
        return try latest.messages().reduce(0) { try $0 + publish(db, OutboundMessage($1)) }
    }

    private static func publish(_ db: Database, _ value: OutboundMessage) throws -> Int {
        let present = try Data.fetchOne(
            db, sql: "SELECT payload FROM latest WHERE name = ? AND watch = 0", arguments: [value.name.text])
        guard present.map(Array.init) != value.payload else { return 0 }
        _ = try LatestStore.replace(db, name: value.name.text, watch: 0, payload: Data(value.payload))
        return 1
    }

    /// What every watch is to have now.
    static func window(_ db: Database) throws -> FeedWindow {
        let list = try ListRecord.find(db, name: nil)
        let rows = try openRows(db, of: list, limit: FeedWindow.capacity)
        let total = try UInt32.fetchOne(
            db, sql: "SELECT count(*) FROM item WHERE list = ? AND checkedAt IS NULL", arguments: [list.number])
        return FeedWindow(rows: rows, total: total ?? 0)
    }

    /// The open items of the active list that no watch is given, because they come behind those that are.
    private static func rowsBeyondWindow(_ db: Database) throws -> [FeedRow] {
        try openRows(db, of: try ListRecord.find(db, name: nil), limit: -1, offset: FeedWindow.capacity)
    }

    /// Open items of a list in order; a limit of -1 is none.
    private static func openRows(_ db: Database, of list: ListRecord, limit: Int, offset: Int = 0) throws -> [FeedRow] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, rank, title FROM item WHERE list = ? AND checkedAt IS NULL
                ORDER BY rank, id LIMIT ? OFFSET ?
                """, arguments: [list.number, limit, offset]
        ).map { FeedRow(id: $0["id"], rank: $0["rank"], title: ItemTitle(cutting: $0["title"])) }
    }

    /// What a watch has been given.
    static func projection(_ db: Database, _ watch: Row) throws -> FeedProjection {
        guard watch["given"] == "rows" else { return .nothing }
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM projection WHERE watch = ? ORDER BY rank, item",
            arguments: [watch["identity"] as Int64]
        ).map { row in
            FeedRow(
                id: row["item"], rank: row["rank"],
                title: ItemTitle(
                    utf8: Array((row["title"] as String).utf8).span,
                    completeness: ItemTitle.Completeness(rawValue: row["cut"]) ?? .whole))
        }
        return .rows(rows, more: watch["more"])
    }

    private static func note(_ db: Database, _ change: ListChange, given watch: Int64) throws {
        switch change {
        case .clear: try db.execute(sql: "DELETE FROM projection WHERE watch = ?", arguments: [watch])
        case .remove(let item):
            try db.execute(sql: "DELETE FROM projection WHERE watch = ? AND item = ?", arguments: [watch, item])
        case .put(let item, let rank, let title):
            try db.execute(
                sql: "INSERT OR REPLACE INTO projection (watch, item, rank, title, cut) VALUES (?, ?, ?, ?, ?)",
                arguments: [watch, item, rank, title.text, title.completeness.rawValue])
        }
    }
}

/// The latest values as parts of a transaction.
enum LatestStore {
    /// Gives a name a new value, nil for a cleared one; `watch` is 0 for all of them.
    ///
    /// - Returns: its revision, which is higher than any before.
    static func replace(_ db: Database, name: String, watch: Int64, payload: Data?) throws -> UInt32 {
        guard
            let revision = try UInt32.fetchOne(
                db, sql: "UPDATE host SET latestRevision = latestRevision + 1 RETURNING latestRevision")
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        // What is for all takes the place of what was for one.
        if watch == 0 { try db.execute(sql: "DELETE FROM latest WHERE name = ?", arguments: [name]) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO latest (name, watch, revision, payload) VALUES (?, ?, ?, ?)",
            arguments: [name, watch, revision, payload])
        try deliver(db, name: name, payload: payload)
        return revision
    }

    /// Makes a value the one that is read under its name.
    static func deliver(_ db: Database, name: String, payload: Data?) throws {
        if let payload {
            try db.execute(
                sql: "INSERT OR REPLACE INTO mailbox (name, payload) VALUES (?, ?)", arguments: [name, payload])
        } else {
            try db.execute(sql: "DELETE FROM mailbox WHERE name = ?", arguments: [name])
        }
    }

    /// The highest revision that was ever issued to a watch.
    static func issued(_ db: Database, to watch: Int64) throws -> UInt32 {
        try UInt32.fetchOne(db, sql: "SELECT max(revision) FROM latest WHERE watch IN (0, ?)", arguments: [watch]) ?? 0
    }
}

extension PhoneStore {
    /// Queues what each of these watches lacks and publishes the latest values, in one transaction.
    ///
    /// - Returns: how many messages were queued.
    func feed(_ watches: Set<PeerIdentity>) async throws(PhoneError) -> Int {
        try await write { [surroundings] db in
            try FeedStore.publishLatest(db, surroundings)
            return try watches.sorted().reduce(0) { try $0 + FeedStore.bringUpToDate(db, watch: $1.stored) }
        }
    }
}
