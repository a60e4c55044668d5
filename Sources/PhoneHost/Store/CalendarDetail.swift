import CalDAV
import Foundation
import GRDB
import Wormhole

extension TodoDetail {
    /// The longest note that several lines of another program become, in characters.
    static let longestNote = 200

    /// What a row says.
    init(_ detail: ItemDetail) {
        self.init(amount: detail.amount, note: detail.note)
    }

    /// What an item of a server says, as a row says it: on one line. A text of several lines is cut.
    init(of object: CalendarObject) {
        let lines = object.remark.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        var note = ItemDetail(note: object.remark).note
        if lines.count > 1, let whole = note, whole.count > TodoDetail.longestNote {
            note = ItemDetail(note: String(whole.prefix(TodoDetail.longestNote - 1))).note.map { "\($0)…" }
        }
        self.init(amount: ItemDetail(amount: object.amount).amount, note: note)
    }

    /// This, and what `other` says where this says nothing.
    func filled(from other: TodoDetail) -> TodoDetail {
        TodoDetail(amount: amount ?? other.amount, note: note ?? other.note)
    }
}

extension ItemDetail {
    init(_ detail: TodoDetail) {
        self.init(amount: detail.amount, note: detail.note)
    }
}

extension CalendarTable {
    /// Amounts and notes of items as both sides last had them, and as they were sent.
    static let details = """
        ALTER TABLE calendarItem ADD COLUMN amount TEXT;
        ALTER TABLE calendarItem ADD COLUMN note TEXT;
        ALTER TABLE calendarItem ADD COLUMN sentAmount TEXT;
        ALTER TABLE calendarItem ADD COLUMN sentNote TEXT;
        """

    /// Gives the rows what the server's texts say already, so that nothing of that is taken for removed here. What a row alone says is sent.
    static func fillDetails(_ db: Database) throws {
        let rows = try StoredRow.all(
            db, of: "calendarItem",
            sql: """
                SELECT calendar, path, text, item.id AS item, item.amount AS amount, item.note AS note
                FROM calendarItem JOIN item ON item.id = calendarItem.item WHERE text LIKE '%DESCRIPTION%'
                """)
        for row in rows {
            guard let object = try? CalendarObject(try row["text"]) else { continue }
            let there = TodoDetail(of: object)
            let here = there.filled(from: TodoDetail(amount: try row["amount"], note: try row["note"]))
            let (item, calendar, path): (UInt32, Int64, String) = (
                try row["item"], try row["calendar"], try row["path"]
            )
            try db.execute(
                cached: "UPDATE item SET amount = ?, note = ? WHERE id = ?", arguments: [here.amount, here.note, item])
            try db.execute(
                cached: "UPDATE calendarItem SET amount = ?, note = ? WHERE calendar = ? AND path = ?",
                arguments: [there.amount, there.note, calendar, path])
        }
    }
}
