import CalDAV
import Foundation
import GRDB
import Wormhole

/// Finds the edits that a calendar server does not have yet. Compares each row with the last version that the phone and
/// the server both had.
enum CalendarQueue {
    /// The part of a query that selects the rows to send: new, changed and deleted rows. It also selects rows whose
    /// items may be missing on the server, and rows whose items the server has restored to an earlier version.
    private static let difference = """
        FROM (
            SELECT item.id AS item, item.rank AS rank FROM item JOIN calendarList ON item.list = calendarList.list
            WHERE calendarList.number = :calendar
            UNION SELECT item, 0 FROM calendarItem WHERE calendar = :calendar AND item IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM item WHERE id = calendarItem.item)
        ) AS present
        LEFT JOIN item ON item.id = present.item
        LEFT JOIN calendarItem AS base ON base.calendar = :calendar AND base.item = present.item
        WHERE (:only IS NULL OR present.item = :only)
        AND (base.path IS NULL OR base.state = 'older' OR base.state = 'synced' AND (
            base.etag IS NULL OR item.id IS NULL OR item.title <> base.title OR item.checkedAt IS NOT base.checkedAt
            OR item.amount IS NOT base.amount OR item.note IS NOT base.note))
        """

    static func count(_ db: Database, of calendar: Int64) throws -> Int {
        let row = try StoredRow.one(
            db, of: "calendarItem", sql: "SELECT count(*) AS edits \(difference)",
            arguments: ["calendar": calendar, "only": nil])
        let count: UInt32? = try row?["edits"]
        return Int(count ?? 0)
    }

    static func edits(_ db: Database, of calendar: Int64, only item: UInt32?) throws -> [PendingEdit] {
        let place = try StoredRow.one(
            db, of: "calendarList",
            sql: """
                SELECT calendarList.address AS address, endpoint.identity AS identity FROM calendarList JOIN endpoint
                WHERE calendarList.number = ?
                """,
            arguments: [calendar])
        guard let place else { return [] }
        let address: String = try place["address"]
        let identity: Int64 = try place["identity"]
        guard let collection = try? WebAddress(address) else { return [] }
        let host = name(ofHost: identity)
        return try StoredRow.all(
            db, of: "calendarItem",
            sql: """
                SELECT present.item AS number, item.id AS id, item.title AS title, item.checkedAt AS checkedAt,
                    item.amount AS amount, item.note AS note, item.addedAt AS addedAt, base.path AS path, base.etag AS etag, base.text AS text,
                    base.title AS baseTitle, base.checkedAt AS baseCheckedAt, base.amount AS baseAmount,
                    base.note AS baseNote
                \(difference) ORDER BY present.rank, present.item
                """, arguments: ["calendar": calendar, "only": item]
        ).compactMap { try edit($0, collection, host) }
    }

    /// Makes the next sync send an item that was removed and is on the list again. The server may have deleted the item
    /// at the phone's request, even if the phone has not received the answer.
    static func keep(_ db: Database, _ item: UInt32) throws {
        try db.execute(
            cached: """
                UPDATE calendarItem SET etag = NULL, coverage = 'later' WHERE item = ? AND state IN ('synced', 'older')
                """, arguments: [item])
    }

    /// Returns the first part of the UID and file name of each item that this phone creates on a server. A hyphen and
    /// the row's number in hexadecimal follow.
    static func name(ofHost identity: Int64) -> String { String(UInt64(bitPattern: identity), radix: 16) }

    private static func edit(_ row: StoredRow, _ collection: WebAddress, _ host: String) throws -> PendingEdit? {
        let number: UInt32 = try row["number"]
        let (path, etag, text): (String?, String?, String?) = (try row["path"], try row["etag"], try row["text"])
        let present: UInt32? = try row["id"]
        guard present != nil else {
            guard let path else { return nil }
            let former = RowValues(title: try row["baseTitle"] ?? "", state: .open, detail: TodoDetail())
            return PendingEdit(item: number, path: path, etag: etag, kind: .delete, row: former)
        }
        let values = try RowValues(row: row)
        guard let path, let text else {
            let uid = "\(host)-\(String(number, radix: 16))"
            return PendingEdit(
                item: number, path: collection.with(path: "\(collection.path)\(uid).ics").path, etag: nil,
                kind: .create(uid: uid, added: try row["addedAt"]), row: values)
        }
        let base = RowValues(
            title: try row["baseTitle"] ?? "", checkedAt: try row["baseCheckedAt"], amount: try row["baseAmount"],
            note: try row["baseNote"])
        return PendingEdit(
            item: number, path: path, etag: etag,
            kind: .edit(
                of: text, title: values.title == base.title ? nil : values.title,
                state: values.state == base.state ? nil : values.state,
                detail: values.detail.changes(since: base.detail)),
            row: values)
    }
}

extension RowValues {
    init(title: String, checkedAt: Date?, amount: String?, note: String?) {
        self.init(
            title: title, state: checkedAt.map { .completed(at: $0) } ?? .open,
            detail: TodoDetail(amount: amount, note: note))
    }

    init(row: StoredRow) throws {
        self.init(
            title: try row["title"], checkedAt: try row["checkedAt"], amount: try row["amount"], note: try row["note"])
    }

    /// The values for the columns title, checkedAt, amount and note, in this order.
    var columns: [(any DatabaseValueConvertible)?] {
        [title, state.completedAt?.storedMilliseconds, detail.amount, detail.note]
    }
}
