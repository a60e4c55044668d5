import CalDAV
import Foundation
import GRDB
import Wormhole

/// A row that the phone sent to a calendar server. After that, the database was restored from an older copy, which has
/// the row but no record that the phone sent it.
struct OwnItem {
    let number: UInt32
    let row: RowValues

    /// Finds the row that this phone sent to this path on the server. Nil if another program made the item, if the row
    /// is deleted, or if the database already connects the row with an item.
    init?(_ db: Database, at path: String, of calendar: Int64, on list: ListRecord) throws {
        let phone = try StoredRow.one(db, of: "endpoint", sql: "SELECT identity FROM endpoint")
        guard let identity: Int64 = try phone?["identity"],
            let number = OwnItem.number(of: path, host: CalendarQueue.name(ofHost: identity))
        else { return nil }
        let row = try StoredRow.one(
            db, of: "item",
            sql: """
                SELECT title, checkedAt, amount, note FROM item WHERE id = ? AND list = ?
                AND NOT EXISTS (SELECT 1 FROM calendarItem WHERE calendarItem.item = item.id AND calendar = ?)
                """, arguments: [number, list.number, calendar])
        guard let row else { return nil }
        self.number = number
        self.row = try RowValues(row: row)
    }

    /// Reads the row's number from the path of an item that this phone created; nil for any other path. The file name ends
    /// with a further number for each UID that another item on the server already had.
    private static func number(of path: String, host: String) -> UInt32? {
        guard let name = path.split(separator: "/").last, name.hasSuffix(".ics") else { return nil }
        let parts = name.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == host else { return nil }
        return UInt32(parts[1], radix: 16)
    }

    /// Reconstructs from the history the last version that the phone and the server had in common. A merge with this
    /// version has these results:
    ///
    /// - If the row once had the server's title, the row's present title wins. Otherwise the server's title wins.
    /// - If the item was checked off on both sides at different times, the earlier time wins.
    ///
    /// The version has the server's amount and note. The caller gives these to the row before the merge.
    func base(_ db: Database, of object: CalendarObject, titled title: String, now: Date) throws -> ItemVersion {
        var base = object
        var values = RowValues(title: title, state: .open, detail: TodoDetail(of: object))
        if try !had(db, "title = ? OR formerTitle = ?", [title, title]) {
            values.title = row.title
            base.edit(title: row.title, state: nil, detail: [], now: now)
        }
        if let second = object.state.completedAt.map({ Int64($0.timeIntervalSince1970.rounded(.down)) }) {
            if try had(db, "event = 'checked' AND at / 1000 = ?", [second]) {
                values.state = object.state
            } else {
                base.edit(title: nil, state: .open, detail: [], now: now)
            }
        }
        return ItemVersion(text: base.text, row: values)
    }

    private func had(
        _ db: Database, _ condition: String, _ arguments: [any DatabaseValueConvertible]
    ) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM history WHERE item = ? AND (\(condition)))",
            arguments: StatementArguments([number] + arguments)) ?? false
    }
}
