import CalDAV
import Foundation
import GRDB
import Wormhole

/// Stores the changes that a sync with a calendar server makes to one list, and to the record of the server's items.
/// Call these functions inside a transaction.
struct CalendarChanges {
    let calendar: Int64
    let list: ListRecord
    let dependencies: PhoneDependencies

    private static let mostFormer = 8

    init?(_ db: Database, of calendar: Int64, _ dependencies: PhoneDependencies) throws {
        let row = try StoredRow.one(
            db, of: "calendarList",
            sql: """
                SELECT list.number AS number, list.name AS name FROM calendarList JOIN list ON list.number = list
                WHERE calendarList.number = ?
                """, arguments: [calendar])
        guard let row else { return nil }
        list = ListRecord(number: try row["number"], name: try row["name"])
        self.calendar = calendar
        self.dependencies = dependencies
    }

    /// Stores a change. Returns the number of items that the server has restored to an earlier version.
    func make(_ db: Database, _ change: StoreChange) throws -> Int {
        switch change {
        case .merge(let items): return try merge(db, items)
        case .remove(let paths): for path in paths { try remove(db, path) }
        case .restore(let paths):
            for path in paths { try update(db, path, "etag = NULL, coverage = 'later'", []) }
        case .sending(let edit, let text): try sending(db, edit, text)
        case .sent(let path, let etag): try sent(db, path, etag)
        case .deleted(let path): try forget(db, path)
        case .token(let token):
            try db.execute(
                cached: "UPDATE calendarList SET token = ? WHERE number = ?", arguments: [token, calendar])
            try db.execute(
                cached: "UPDATE calendarItem SET coverage = 'token' WHERE calendar = ? AND etag IS NOT NULL",
                arguments: [calendar])
        }
        return 0
    }

    private func base(_ db: Database, _ path: String) throws -> StoredRow? {
        try StoredRow.one(
            db, of: "calendarItem", sql: "SELECT * FROM calendarItem WHERE calendar = ? AND path = ?",
            arguments: [calendar, path])
    }

    private func update(
        _ db: Database, _ path: String, _ values: String, _ arguments: [(any DatabaseValueConvertible)?]
    ) throws {
        try db.execute(
            cached: "UPDATE calendarItem SET \(values) WHERE calendar = ? AND path = ?",
            arguments: CachedArguments(arguments + [calendar, path]))
    }

    /// Connects a row with the server's item at `path`. Records `version` as the last one that the phone and the server
    /// had in common. A nil `etag` means that the phone does not know whether the server has the item.
    private func insert(
        _ db: Database, _ path: String, etag: String?, _ item: UInt32, _ version: ItemVersion
    ) throws {
        let values: [(any DatabaseValueConvertible)?] = [calendar, path, etag, item, version.text]
        try db.execute(
            cached: """
                INSERT INTO calendarItem (calendar, path, etag, item, text, title, checkedAt, amount, note)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, arguments: CachedArguments(values + version.row.columns))
    }

    private func forget(_ db: Database, _ path: String) throws {
        try db.execute(
            cached: "DELETE FROM calendarItem WHERE calendar = ? AND path = ?", arguments: [calendar, path])
    }

    private func edit(_ db: Database, _ item: UInt32, _ action: ListEdit.Action) throws {
        let edit = ListEdit(item: ItemIdentifier(rawValue: item), action: action)
        _ = try ItemEdits.apply(db, edit, origin: .phone, storedAt: min(action.time, dependencies.now()))
    }

    // MARK: To the server

    /// Records the version of an item that the phone is about to send. If the server's answer is lost, a later sync
    /// recognizes this version when it finds it on the server.
    private func sending(_ db: Database, _ edit: PendingEdit, _ text: String) throws {
        if try base(db, edit.path) == nil {
            // Deletes the record of an earlier attempt with another path. The server has no item at that path.
            try db.execute(
                cached: "DELETE FROM calendarItem WHERE calendar = ? AND item = ? AND etag IS NULL",
                arguments: [calendar, edit.item])
            try insert(db, edit.path, etag: nil, edit.item, ItemVersion(text: text, row: edit.row))
        }
        try update(
            db, edit.path, "sentText = ?, sentTitle = ?, sentCheckedAt = ?, sentAmount = ?, sentNote = ?",
            [text] + edit.row.columns)
    }

    private func sent(_ db: Database, _ path: String, _ etag: String?) throws {
        guard let row = try base(db, path) else { return }
        try update(
            db, path,
            """
            text = coalesce(sentText, text), title = coalesce(sentTitle, title),
            checkedAt = iif(sentText IS NULL, checkedAt, sentCheckedAt),
            amount = iif(sentText IS NULL, amount, sentAmount), note = iif(sentText IS NULL, note, sentNote),
            sentText = NULL, sentTitle = NULL, sentCheckedAt = NULL, sentAmount = NULL, sentNote = NULL, state = 'synced', etag = ?, formerETags = ?
            """, [etag, try former(row, but: etag)])
    }

    /// Returns the new value of the column `formerETags` for an item whose ETag is now `etag`: up to eight earlier ETags,
    /// one on each line, newest last. A nil `etag` means that the server sent no ETag.
    private func former(_ row: StoredRow, but etag: String?) throws -> String {
        let before: String? = try row["etag"]
        var all = (try row["formerETags"] as String).split(separator: "\n").map(String.init)
        if let before { all.append(before) }
        return all.filter { $0 != etag }.suffix(CalendarChanges.mostFormer).joined(separator: "\n")
    }

    // MARK: From the server

    /// Removes the row of an item that the server has deleted, even if the owner has changed the row since the last
    /// sync. The history keeps the removed row's title.
    private func remove(_ db: Database, _ path: String) throws {
        guard let row = try base(db, path) else { return }
        let item: UInt32? = try row["item"]
        try forget(db, path)
        if let item, try rowValues(db, item) != nil { try edit(db, item, .remove(at: dependencies.now())) }
    }

    private func rowValues(_ db: Database, _ item: UInt32) throws -> RowValues? {
        try StoredRow.one(
            db, of: "item", sql: "SELECT title, checkedAt, amount, note FROM item WHERE id = ?", arguments: [item]
        ).map(RowValues.init(row:))
    }

    private func merge(_ db: Database, _ items: [RemoteItem]) throws -> Int {
        var older = 0
        var new: [(RemoteItem, CalendarObject)] = []
        for item in items {
            let row = try base(db, item.path)
            let object: CalendarObject
            do throws(CalendarObject.Unfit) { object = try item.object() } catch {
                try leaveAlone(db, item, error, row)
                continue
            }
            guard let row, let number: UInt32 = try row["item"] else {
                if row != nil { try forget(db, item.path) }
                if try !rejoin(db, item, object) { new.append((item, object)) }
                continue
            }
            if try isOlder(item, object, row) {
                older += 1
                try update(db, item.path, "etag = ?, state = 'older'", [item.etag])
            } else {
                try merge(db, item, object, row, number)
            }
        }
        for (item, object) in new.sorted(by: { ($0.1.order, $0.0.path) < ($1.1.order, $1.0.path) }) {
            try add(db, item, object)
        }
        return older
    }

    /// Connects a server's item again with the row from which the phone created it. The database lacks this connection
    /// if it was restored from an older copy. Returns false if the item has no such row.
    private func rejoin(_ db: Database, _ item: RemoteItem, _ object: CalendarObject) throws -> Bool {
        guard let own = try OwnItem(db, at: item.path, of: calendar, on: list) else { return false }
        let base = try own.base(
            db, of: object, titled: CalendarChanges.title(of: object), now: dependencies.now())
        let joined = base.row.detail.filled(from: own.row.detail)
        if joined != own.row.detail { try edit(db, own.number, .describe(ItemDetail(joined), at: dependencies.now())) }
        try insert(db, item.path, etag: nil, own.number, base)
        if let row = try self.base(db, item.path) { try merge(db, item, object, row, own.number) }
        return true
    }

    /// True if the item's ETag is a former one, and its LAST-MODIFIED is earlier than that of the version in the
    /// database. This shows that the server has restored an earlier version of the item.
    private func isOlder(_ item: RemoteItem, _ object: CalendarObject, _ row: StoredRow) throws -> Bool {
        guard item.isFormer, let modified = object.lastModified,
            let base = try? CalendarObject(try row["text"]), let known = base.lastModified
        else { return false }
        return modified < known
    }

    private func leaveAlone(
        _ db: Database, _ item: RemoteItem, _ reason: CalendarObject.Unfit, _ row: StoredRow?
    ) throws {
        let state =
            switch reason {
            case .noTodo: "other"
            case .recurring: "recurring"
            case .invalid: "invalid"
            case .tooLarge: "large"
            }
        let title = item.text.flatMap(CalendarObject.title).flatMap { try? CleanTitle($0) }?.text
        if let row {
            try update(
                db, item.path, "etag = ?, formerETags = ?, state = ?, title = iif(item IS NULL, ?, title)",
                [item.etag, try former(row, but: item.etag), state, title ?? UnsyncedItem.name(at: item.path)])
        } else {
            try db.execute(
                cached: """
                    INSERT INTO calendarItem (calendar, path, etag, text, title, state) VALUES (?, ?, ?, '', ?, ?)
                    """,
                arguments: [calendar, item.path, item.etag, title ?? UnsyncedItem.name(at: item.path), state])
        }
    }

    private func merge(
        _ db: Database, _ item: RemoteItem, _ object: CalendarObject, _ row: StoredRow, _ number: UInt32
    ) throws {
        let base = ItemVersion(text: try row["text"], row: try RowValues(row: row))
        let sentText: String? = try row["sentText"]
        let sent = try sentText.map { text in
            let title: String? = try row["sentTitle"]
            return ItemVersion(
                text: text,
                row: RowValues(
                    title: title ?? "", checkedAt: try row["sentCheckedAt"], amount: try row["sentAmount"],
                    note: try row["sentNote"]))
        }
        let title = CalendarChanges.title(of: object)
        let present = try rowValues(db, number)
        let merge = RowMerge(
            row: present ?? base.row, base: base, sent: sent, object: object, title: title,
            detail: TodoDetail(of: object))
        if let present {
            if merge.row.title != present.title, let title = try? CleanTitle(merge.row.title) {
                try edit(db, number, .rename(to: title, at: dependencies.now()))
            }
            if merge.row.detail != present.detail {
                try edit(db, number, .describe(ItemDetail(merge.row.detail), at: dependencies.now()))
            }
            try apply(db, number, merge.row.state, over: present.state)
        }
        try update(
            db, item.path,
            """
            etag = ?, formerETags = ?, text = ?, title = ?, checkedAt = ?, amount = ?, note = ?, sentText = NULL,
            sentTitle = NULL, sentCheckedAt = NULL, sentAmount = NULL, sentNote = NULL, state = 'synced'
            """,
            [item.etag, try former(row, but: item.etag), object.text] + merge.remote.columns)
    }

    private func apply(_ db: Database, _ item: UInt32, _ state: TodoState, over present: TodoState) throws {
        switch (state, present) {
        case (.open, .open): break
        case (.open, .completed): try edit(db, item, .uncheck(at: dependencies.now()))
        case (.completed(let time), .open): try edit(db, item, .check(at: time))
        case (.completed(let time), .completed):
            guard state != present else { return }
            try db.execute(
                cached: "UPDATE item SET checkedAt = ? WHERE id = ?", arguments: [time.storedMilliseconds, item])
            try list.touch(db, at: dependencies.now())
        }
    }

    private static func title(of object: CalendarObject) -> String {
        (try? CleanTitle(object.summary))?.text ?? "Untitled"
    }

    /// Adds a row for a server's item. If the list has a row with the same title and state that is not on the server
    /// yet, connects the item with that row instead.
    ///
    /// The server's amount replaces the row's amount. If the server has no amount, the phone sends the row's amount to
    /// the server. The same applies to the note.
    private func add(_ db: Database, _ item: RemoteItem, _ object: CalendarObject) throws {
        let title = CalendarChanges.title(of: object)
        let detail = TodoDetail(of: object)
        let completed = object.state.completedAt
        let alike = try StoredRow.one(
            db, of: "item",
            sql: """
                SELECT id, title, checkedAt, amount, note FROM item WHERE list = ? AND title = ? AND (checkedAt IS NULL) = ?
                AND NOT EXISTS (SELECT 1 FROM calendarItem WHERE calendarItem.item = item.id AND calendar = ?)
                ORDER BY rank, id LIMIT 1
                """, arguments: [list.number, title, completed == nil, calendar])
        let number: UInt32
        var base = RowValues(title: title, state: object.state, detail: detail)
        if let alike {
            number = try alike["id"]
            let row = try RowValues(row: alike)
            base.state = row.state
            try edit(db, number, .describe(ItemDetail(detail.filled(from: row.detail)), at: dependencies.now()))
        } else {
            let draft = ItemDraft(
                title: try CleanTitle(title), kind: completed == nil ? .open : .checked, detail: ItemDetail(detail))
            let added = try StoredItem.append(db, [draft], to: list, origin: .phone, dependencies)
            guard let row = added.first else { return }
            number = row.id.rawValue
            if let completed {
                try db.execute(
                    cached: "UPDATE item SET checkedAt = ? WHERE id = ?",
                    arguments: [completed.storedMilliseconds, number])
            }
        }
        try insert(db, item.path, etag: item.etag, number, ItemVersion(text: object.text, row: base))
    }
}

extension TodoDetail {
    /// The maximum length, in characters, of a note that is made from several lines of text.
    static let longestNote = 200

    /// Reads the amount and the note of a server's item, and puts each on one line. If the note has several lines, cuts
    /// it to `longestNote`.
    init(of object: CalendarObject) {
        let lines = object.remark.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        var note = ItemDetail(note: object.remark).note
        if lines.count > 1, let whole = note, whole.count > TodoDetail.longestNote {
            note = ItemDetail(note: String(whole.prefix(TodoDetail.longestNote - 1))).note.map { "\($0)…" }
        }
        self.init(amount: ItemDetail(amount: object.amount).amount, note: note)
    }

    func filled(from other: TodoDetail) -> TodoDetail {
        TodoDetail(amount: amount ?? other.amount, note: note ?? other.note)
    }
}

extension ItemDetail {
    init(_ detail: TodoDetail) {
        self.init(amount: detail.amount, note: detail.note)
    }
}
