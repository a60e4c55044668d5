import Foundation
import GRDB
import Wormhole

extension PhoneStore {
    @discardableResult
    package func apply(_ edit: ListEdit, origin: Origin) async throws(PhoneError) -> EditOutcome {
        try await apply([edit], origin: origin)[0]
    }

    /// Makes all changes in one transaction, or none, and records them in the history.
    ///
    /// - Returns: one outcome for each edit. An edit without effect is recorded only if a watch made it.
    @discardableResult
    package func apply(_ edits: [ListEdit], origin: Origin) async throws(PhoneError) -> [EditOutcome] {
        try await write { db in
            try edits.map { try ItemEdits.apply(db, $0, origin: origin, storedAt: $0.action.time) }
        }
    }
}

enum ItemEdits {
    static func apply(_ db: Database, _ edit: ListEdit, origin: Origin, storedAt time: Date) throws -> EditOutcome {
        guard
            let row = try StoredRow.one(
                db, of: "item",
                sql: """
                    SELECT item.*, list.number AS listNumber, list.name AS listName
                    FROM item JOIN list ON item.list = list.number WHERE id = ?
                    """,
                arguments: [edit.item.rawValue])
        else {
            try History.insert(db, .rejected, edit.item, known: nil, at: time, origin: origin)
            return .unknownItem
        }
        let item = try StoredItem(row: row)
        let list = ListRecord(number: try row["listNumber"], name: try row["listName"])
        guard let event = event(for: edit.action, on: item) else {
            try History.insert(db, .repeated, item.id, known: (item.title, list), at: time, origin: origin)
            return .unchanged
        }
        try update(db, item, edit.action)
        if event == .unchecked { try ListOrder.putBack(db, item, on: list) }
        try list.touch(db, at: time)
        var (title, formerTitle) = (item.title, String?.none)
        var description: HistoryEntry.Description?
        switch edit.action {
        case .check, .uncheck, .remove: break
        case .rename(let new, _): (title, formerTitle) = (new.text, item.title)
        case .describe(let detail, _): description = HistoryEntry.Description(before: item.detail, after: detail)
        }
        try History.insert(
            db, event, item.id, known: (title, list), formerTitle: formerTitle, description: description, at: time,
            origin: origin)
        return .changed
    }

    /// The history event of an action on an item; nil if the action changes nothing.
    private static func event(for action: ListEdit.Action, on item: StoredItem) -> HistoryEntry.Event? {
        switch (action, item.state) {
        case (.check, .open): .checked
        case (.check, .checked): nil
        case (.uncheck, .checked): .unchecked
        case (.uncheck, .open): nil
        case (.remove, _): .removed
        case (.rename(let title, _), _): title.text == item.title ? nil : .renamed
        case (.describe(let detail, _), _): detail == item.detail ? nil : .described
        }
    }

    private static func update(_ db: Database, _ item: StoredItem, _ action: ListEdit.Action) throws {
        switch action {
        case .check(let time):
            try db.execute(
                cached: "UPDATE item SET checkedAt = ? WHERE id = ?",
                arguments: [time.storedMilliseconds, item.id.rawValue])
        case .uncheck:
            try db.execute(cached: "UPDATE item SET checkedAt = NULL WHERE id = ?", arguments: [item.id.rawValue])
        case .remove:
            try db.execute(cached: "DELETE FROM item WHERE id = ?", arguments: [item.id.rawValue])
        case .rename(let title, _):
            try db.execute(
                cached: "UPDATE item SET title = ? WHERE id = ?", arguments: [title.text, item.id.rawValue])
        case .describe(let detail, _):
            try db.execute(
                cached: "UPDATE item SET amount = ?, note = ? WHERE id = ?",
                arguments: [detail.amount, detail.note, item.id.rawValue])
        }
    }
}
