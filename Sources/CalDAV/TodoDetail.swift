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

    /// The parts whose bytes differ from those of `base`. Swift calls some such texts equal, but the database does not.
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

/// DESCRIPTION has the amount in its first line and then the note. Other programs show both as the note.
///
/// X-TAPLINE-AMOUNT repeats the amount. If the first line differs, another program has changed the text, and all of it is the
/// note.
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

    /// Changes the amount, the note or both. A part that is not in `changes` keeps its original form.
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
    /// Makes the object of a new to-do. `uid` has letters, digits and dashes.
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

    /// Changes the title, the state, the amount and the note. A nil part stays as it is.
    ///
    /// Also sets the times of the edit. LAST-MODIFIED grows by at least a second and is never before COMPLETED, so that an older
    /// copy can be recognized even if clocks differ.
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
