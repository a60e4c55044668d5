import CalDAV
import Foundation

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
