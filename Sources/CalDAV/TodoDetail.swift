import Foundation

package struct TodoDetail: Equatable, Sendable {
    package var amount: String?
    package var note: String?

    package init(amount: String? = nil, note: String? = nil) {
        self.amount = amount
        self.note = note
    }

    package enum Change: Equatable, Sendable {
        case amount(String?)
        case note(String?)
    }

    /// Compares the UTF-8 bytes of the amount and the note with `base`, and returns what differs. Some texts with different
    /// bytes are equal in Swift, but not in the database.
    package func changes(since base: TodoDetail) -> [Change] {
        func differ(_ text: String?, _ other: String?) -> Bool {
            text.map { Array($0.utf8) } != other.map { Array($0.utf8) }
        }
        var changes: [Change] = []
        if differ(amount, base.amount) { changes.append(.amount(amount)) }
        if differ(note, base.note) { changes.append(.note(note)) }
        return changes
    }
}

/// The amount and the note of a to-do. The first line of DESCRIPTION is the amount, if there is one, and the note follows. Other
/// programs show all of DESCRIPTION as the note.
///
/// X-TAPLINE-AMOUNT repeats the amount. If it differs from the first line of DESCRIPTION, another program has changed
/// DESCRIPTION, and all of DESCRIPTION is the note.
extension CalendarObject {
    private static let description = "DESCRIPTION"
    private static let amount = "X-TAPLINE-AMOUNT"

    package var amount: String? { describedParts.amount }

    /// The note, which is DESCRIPTION without the amount. It may have several lines.
    package var remark: String { describedParts.remark }

    private var describedParts: (amount: String?, remark: String) {
        let text = EscapedText.reading(value(CalendarObject.description) ?? "")
        let end = text.unicodeScalars.firstIndex(of: "\n") ?? text.endIndex
        let first = CalendarObject.withoutSpaces(text[..<end])
        let amount = CalendarObject.withoutSpaces(EscapedText.reading(value(CalendarObject.amount) ?? "")[...])
        guard !amount.isEmpty, amount == first else { return (nil, text) }
        return (amount, end == text.endIndex ? "" : String(text[text.unicodeScalars.index(after: end)...]))
    }

    /// Removes spaces and tabs at both ends. Other programs add and remove them.
    private static func withoutSpaces(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    /// Changes the amount, the note or both. If `changes` does not name the note, the note keeps its line breaks.
    mutating func describe(_ changes: [TodoDetail.Change]) {
        guard !changes.isEmpty else { return }
        var (amount, remark) = describedParts
        for change in changes {
            switch change {
            case .amount(let new): amount = new
            case .note(let new): remark = new ?? ""
            }
        }
        let text = [amount, remark.isEmpty ? nil : remark].compactMap(\.self).joined(separator: "\n")
        // The parameters of DESCRIPTION belong to its old text, so they go too.
        remove(CalendarObject.description)
        if !text.isEmpty { set(CalendarObject.description, to: EscapedText.writing(text)) }
        remove(CalendarObject.amount)
        if let amount { set(CalendarObject.amount, to: EscapedText.writing(amount)) }
    }
}

extension CalendarObject {
    /// Makes an object for a new to-do. `uid` must consist of letters, digits and hyphens, because it is not escaped.
    package init(uid: String, title: String, state: TodoState, detail: TodoDetail, created: Date, now: Date)
        throws(Unfit)
    {
        try self.init(
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Tapline//Phone//EN
            BEGIN:VTODO
            UID:\(uid)
            DTSTAMP:\(CalendarTime.writing(now))
            CREATED:\(CalendarTime.writing(created))
            SUMMARY:x
            STATUS:NEEDS-ACTION
            END:VTODO
            END:VCALENDAR
            """)
        edit(title: title, state: state, detail: detail.changes(since: TodoDetail()), now: now)
    }

    /// Changes the title, the state, and what `detail` names. A nil title or state means no change.
    ///
    /// Also sets LAST-MODIFIED and DTSTAMP to `now`, or to a later time if needed: at least one second after the previous
    /// LAST-MODIFIED, and not before COMPLETED. An older copy can thus be recognized even if the devices' clocks differ.
    package mutating func edit(title: String?, state: TodoState?, detail: [TodoDetail.Change], now: Date) {
        if let title { set("SUMMARY", to: EscapedText.writing(title)) }
        describe(detail)
        switch state {
        case .completed(let time):
            set("STATUS", to: "COMPLETED")
            set("PERCENT-COMPLETE", to: "100")
            // The parameters of COMPLETED belong to its old time, so they go too.
            remove("COMPLETED")
            set("COMPLETED", to: CalendarTime.writing(time))
        case .open:
            set("STATUS", to: "NEEDS-ACTION")
            remove("PERCENT-COMPLETE")
            remove("COMPLETED")
        case nil: break
        }
        let latest =
            [now, self.state.completedAt, lastModified?.addingTimeInterval(1)].compactMap(\.self).max() ?? now
        set("LAST-MODIFIED", to: CalendarTime.writing(latest))
        set("DTSTAMP", to: CalendarTime.writing(latest))
    }
}
