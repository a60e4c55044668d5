import Foundation
import GRDB
import GRDBSQLite
import WatchLink
import Wormhole

/// Queues the rows that each watch lacks, and publishes the latest values (see `LatestStore`) for all watches. Call
/// these functions inside a transaction.
enum FeedStore {
    /// When this many messages wait for one watch, the phone queues no further rows for it, except in the answer to a
    /// reload. A reload is a watch's request for its whole list.
    static let mostWaiting = 256

    /// When this many messages wait for one watch, the phone queues no further pushes, and no messages from other
    /// programs. The rest of the queue is for the list.
    static let mostWaitingOfPrograms = mostWaiting / 2

    static func isQueueFull(_ watch: StoredRow) throws -> Bool {
        let issued: UInt32 = try watch["issued"]
        return issued - (try watch["acknowledged", 0...issued]) >= mostWaiting
    }

    /// Queues the rows that a watch lacks. Does nothing if the database does not know the watch.
    static func bringUpToDate(_ db: Database, watch: Int64) throws {
        guard let row = try StoredRow.watch(db, watch) else { return }
        try bringUpToDate(db, row, watch: watch, to: PresentList(db))
    }

    /// Queues the rows that a watch lacks, and records that the watch will have them. If the watch has asked for a
    /// reload, queues the whole list. If the queue is full, and no reload is due, does nothing.
    ///
    /// - Parameters:
    ///   - row: the watch's row in the database.
    ///   - list: the active list.
    /// - Returns: how many messages this call has queued.
    @discardableResult
    static func bringUpToDate(_ db: Database, _ row: StoredRow, watch: Int64, to list: PresentList) throws -> Int {
        let largestBody: UInt32 = try row["largestBody"]
        let applied = max(try row["queuedApplied"] as UInt32, try row["floor"] as UInt32)
        let reload = try PendingReload.due(row)
        guard try reload != nil || !isQueueFull(row) else { return 0 }
        var projection = try projection(row)
        let batches = WatchFeed.batches(
            from: projection, to: list.window, largestBody: Int(largestBody), reloadToken: reload?.token,
            beyond: reload?.extent == .everything ? try rowsBeyondWindow(db) : [])
        guard !batches.isEmpty else { return 0 }
        for batch in batches {
            let message = try batch.message(applied: applied)
            try QueueTable.feed(
                db, OutboundMessage(name: MessageName(message.name), payload: message.payload),
                to: PeerIdentity(column: watch))
            projection.apply(batch)
        }
        try note(db, projection, of: watch)
        if reload != nil { try PendingReload.answered(db, watch: watch) }
        return batches.count
    }

    /// Deletes the record of a watch's rows, so the next `bringUpToDate` queues the whole list.
    static func forget(_ db: Database, watch: Int64) throws {
        try db.execute(
            cached: "UPDATE watch SET rows = NULL, reloadAnswer = 0 WHERE identity = ?", arguments: [watch])
    }

    /// Publishes the title, the past items and the time line, each only if it has changed. If the face now shows a note
    /// whose push is not queued yet, also queues the push. A push makes the watches show their newest values at once.
    static func publishLatest(
        _ db: Database, _ present: PresentList, _ dependencies: PhoneDependencies
    ) throws -> LatestPublication {
        let latest = try LatestFeed(db, present, dependencies)
        let title = try LatestStore.publish(db, try latest.title(), over: LatestStore.published(db, .title))
        let past = try PastItemTable.publish(db, present, dependencies)
        var publication = try ComplicationStore.publish(db, latest, dependencies)
        if title || past { publication.isNew = true }
        return publication
    }

    /// The active list, and its window: the first open items, which every watch should have.
    struct PresentList {
        let list: ListRecord
        let window: FeedWindow
        /// The full title of the window's first item; nil if there is none.
        let first: String?

        init(_ db: Database) throws {
            list = try ListRecord.find(db, name: nil)
            let rows: [FeedRow]
            (rows, first) = try openRows(db, of: list, limit: FeedWindow.capacity)
            let total =
                rows.count < FeedWindow.capacity
                ? UInt32(rows.count)
                : try list.openItems(db)
            window = FeedWindow(rows: rows, total: total)
        }
    }

    /// The active list's open items that do not fit into the window.
    private static func rowsBeyondWindow(_ db: Database) throws -> [FeedRow] {
        try openRows(db, of: try ListRecord.find(db, name: nil), limit: nil, offset: FeedWindow.capacity).rows
    }

    /// Reads the open items of a list, and the full title of the first.
    ///
    /// Each update of the watches reads up to 128 items, so this function avoids the slower `StoredRow`. It uses
    /// `StoredRow` only if an item has an amount, a note or a title that is too long for a watch.
    private static func openRows(
        _ db: Database, of list: ListRecord, limit: Int?, offset: Int = 0
    ) throws -> (rows: [FeedRow], first: String?) {
        let sql = """
            SELECT id, rank, title, amount, note FROM item WHERE list = ? AND checkedAt IS NULL
            ORDER BY rank, id LIMIT ? OFFSET ?
            """
        let arguments: CachedArguments = [list.number, limit ?? -1, offset]
        var rows: [FeedRow] = []
        var (first, areUsual) = (String?.none, true)
        try db.step(cached: sql, arguments) { statement in
            guard areUsual, let row = FeedRow(usual: statement.sqliteStatement) else { return areUsual = false }
            if rows.isEmpty { first = sqlite3_column_text(statement.sqliteStatement, 2).map { String(cString: $0) } }
            rows.append(row)
        }
        if areUsual { return (rows, first) }
        let found = try StoredRow.all(db, of: "item", sql: sql, arguments: arguments)
        return (try found.map(FeedRow.init(item:)), try found.first?["title"])
    }

    /// The rows that a watch has, or will have when it has applied the messages in its queue.
    static func projection(_ watch: StoredRow) throws -> FeedProjection {
        let bytes: [UInt8]? = try watch["rows"]
        return bytes.map { FeedProjection(bytes: $0) } ?? .nothing
    }

    /// Marks a checked-off item's row as stale in the record of the watch's rows, because the watch itself has removed
    /// the row. The phone then sends the row again, or sends its removal.
    static func checkOffArrived(_ db: Database, of item: UInt32, from watch: Int64) throws {
        try change(db, watch) { $0.checkOffArrived(of: item) }
    }

    /// Records that a watch has added a row to its own list. Marks the row as stale, so the phone sends the row or its
    /// removal.
    static func additionArrived(_ db: Database, of item: UInt32, title: String, from watch: Int64) throws {
        let row = FeedRow(id: item, rank: 0, title: ItemTitle(cutting: title))
        try change(db, watch) { $0.additionArrived(of: row) }
    }

    private static func change(_ db: Database, _ watch: Int64, _ body: (inout FeedProjection) -> Void) throws {
        let row = try StoredRow.one(
            db, of: "watch", sql: "SELECT rows FROM watch WHERE identity = ?", arguments: [watch])
        guard let before = try row.map(projection) else { return }
        var projection = before
        body(&projection)
        if projection != before { try note(db, projection, of: watch) }
    }

    private static func note(_ db: Database, _ projection: FeedProjection, of watch: Int64) throws {
        try db.execute(
            cached: "UPDATE watch SET rows = ? WHERE identity = ?",
            arguments: [projection.bytes.map { Data($0) }, watch])
    }
}

extension FeedRow {
    /// Reads an item whose amount and note are null. The columns are id, rank, title, amount and note. Nil if the item has an
    /// amount or a note, if its title is too long for a watch, or if a value is invalid.
    fileprivate init?(usual row: SQLiteStatement) {
        guard let id = UInt32(exactly: sqlite3_column_int64(row, 0)), id > 0,
            let rank = UInt32(exactly: sqlite3_column_int64(row, 1)), sqlite3_column_type(row, 2) == SQLITE_TEXT,
            sqlite3_column_type(row, 3) == SQLITE_NULL, sqlite3_column_type(row, 4) == SQLITE_NULL,
            sqlite3_column_type(row, 0) == SQLITE_INTEGER, sqlite3_column_type(row, 1) == SQLITE_INTEGER,
            let text = sqlite3_column_text(row, 2)
        else { return nil }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(row, 2)))
        guard bytes.count <= ItemTitle.capacity else { return nil }
        self.init(id: id, rank: rank, title: ItemTitle(utf8: bytes.span))
    }

    fileprivate init(item row: StoredRow) throws {
        let title: String = try row["title"]
        let detail = ItemDetail(amount: try row["amount"], note: try row["note"])
        self.init(
            id: try row["id", 1...UInt32.max], rank: try row["rank"],
            title: ItemTitle(cutting: detail.text(behind: title, fitting: ItemTitle.capacity)))
    }
}

/// Stores the reload of each watch. A reload is a watch's request for its whole list.
///
/// The phone answers only the newest reload, and only when the watch has acknowledged the previous answer. A watch that
/// keeps asking, but acknowledges nothing, therefore cannot fill its queue.
enum PendingReload {
    /// The reload to answer now; nil if there is none, or if the watch has not acknowledged the previous answer.
    static func due(_ watch: StoredRow) throws -> ReloadMessage? {
        guard let token: UInt32 = try watch["reloadToken"] else { return nil }
        let (answer, acknowledged): (UInt32, UInt32) = (try watch["reloadAnswer"], try watch["acknowledged"])
        guard answer <= acknowledged else { return nil }
        let extent: UInt32? = try watch["reloadExtent"]
        return ReloadMessage(token: token, extent: extent.flatMap(ReloadMessage.Extent.init(rawValue:)) ?? .given)
    }

    /// Stores a watch's request for a reload. It replaces an earlier request that has not been answered.
    static func request(_ db: Database, _ reload: ReloadMessage, watch: Int64) throws {
        try db.execute(
            cached: "UPDATE watch SET reloadToken = ?, reloadExtent = ? WHERE identity = ?",
            arguments: [reload.token, reload.extent.rawValue, watch])
    }

    /// Records that the newest message in the queue is the last one of the answer to the reload.
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
    /// A watch's row, joined with the positions of its message streams; nil if the database does not know the watch.
    static func watch(_ db: Database, _ identity: Int64) throws -> StoredRow? {
        try one(
            db, of: "watch", sql: "SELECT * FROM peer JOIN watch USING (identity) WHERE identity = ?",
            arguments: [identity])
    }
}

/// Reads and writes values that are sent as latest values (`Delivery.latest`). A new value replaces the previous value under
/// the same name. Call these functions inside a transaction.
enum LatestStore {
    /// When this many names have values, the database accepts no value from a watch under a further name.
    static let mostNames = 64

    /// Stores a watch's value under `name`, for other programs. A nil `payload` clears the name. Rejects a value under
    /// a new name if `mostNames` other names have values.
    static func accept(
        _ db: Database, _ name: MessageName, _ payload: [UInt8]?, of message: InboundMessage
    ) throws -> ArrivalOutcome {
        // Only the phone publishes Tapline's own names. It acknowledges a watch's value for one of them, but does not store it.
        guard ApplicationMessage(text: name.text) == nil else { return .applied }
        let others =
            try Int.fetchOne(db, cached: "SELECT count(*) FROM mailbox WHERE name <> ?", arguments: [name.text]) ?? 0
        guard payload == nil || others < mostNames else { return .rejected(.noRoom) }
        guard let row = try PeerRow.find(db, message.peer) else { throw WormholeError.unknownPeer }
        return try ValueTable.take(db, name, payload, of: message, row)
    }

    /// If the message's payload has changed, publishes it as the new value of its name, for every watch.
    ///
    /// - Parameter published: the present value's payload; nil if there is none.
    /// - Returns: whether the message's payload differs from `published`.
    static func publish(_ db: Database, _ message: FeedMessage, over published: [UInt8]?) throws -> Bool {
        guard published != message.payload else { return false }
        try ValueTable.replace(db, MessageName(message.name), with: message.payload, for: .everyone)
        return true
    }

    /// Returns the payload that the phone last published under this name; nil before the first publication.
    static func published(_ db: Database, _ name: ApplicationMessage) throws -> [UInt8]? {
        try ValueTable.published(db, MessageName(name))
    }
}

extension PhoneStore {
    /// The result of one transaction that brings watches up to date.
    struct FeedRound {
        /// How many messages the transaction queued.
        var queued = 0
        /// The watches that may have something new; nil means all watches.
        var recipients: Set<PeerIdentity>?
        /// The watches that were not brought up to date, because the database has forgotten them.
        var forgotten: [PeerIdentity] = []
        /// When the next transaction is due even if nothing happens, in local seconds since 1970; nil for never.
        var nextUpdate: UInt32?
        /// What `ListOrder.settle` did for the active list in this transaction.
        var order = ListOrder.Outcome.present

        /// Sorts the active list if a trip has ended, publishes the latest values, and queues what each of these
        /// watches lacks.
        init(_ db: Database, for watches: Set<PeerIdentity>, _ dependencies: PhoneDependencies) throws {
            order = try ListOrder(db, of: try ListRecord.find(db, name: nil), dependencies).settle(db)
            let list = try FeedStore.PresentList(db)
            let publication = try FeedStore.publishLatest(db, list, dependencies)
            nextUpdate = publication.nextUpdate
            if case .waiting(let end) = order { nextUpdate = min(nextUpdate ?? .max, dependencies.localSeconds(end)) }
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
