import Foundation

/// What a to-do says beside its title, as a list shows it.
package struct TodoDetail: Equatable, Sendable {
    /// How much of it; nil if nothing is said.
    package var amount: String?
    /// What else matters; nil if nothing is said.
    package var note: String?

    package init(amount: String? = nil, note: String? = nil) {
        self.amount = amount
        self.note = note
    }

    /// A part that is another one now.
    package enum Change: Equatable, Sendable {
        case amount(String?)
        case note(String?)
    }

    /// What has changed since `base`, byte for byte, as databases compare texts: strings are equal if they look the same.
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

/// Amount and note are in DESCRIPTION, which other programs show as the note: the amount on the first line, the note after it.
/// X-TAPLINE-AMOUNT repeats the amount. The first line is the amount only if it equals that. If others have changed it, all is
/// the note.
extension CalendarObject {
    private static let description = "DESCRIPTION"
    private static let amount = "X-TAPLINE-AMOUNT"

    /// How much of it; nil if DESCRIPTION does not begin with that.
    package var amount: String? { describedParts.amount }

    /// What DESCRIPTION says beside the amount, in any number of lines; empty if it says nothing.
    package var remark: String { describedParts.remark }

    private var describedParts: (amount: String?, remark: String) {
        let text = EscapedText.reading(value(CalendarObject.description) ?? "")
        let end = text.unicodeScalars.firstIndex(of: "\n") ?? text.endIndex
        let first = CalendarObject.withoutSpaces(text[..<end])
        let amount = CalendarObject.withoutSpaces(EscapedText.reading(value(CalendarObject.amount) ?? "")[...])
        guard !amount.isEmpty, amount == first else { return (nil, text) }
        return (amount, end == text.endIndex ? "" : String(text[text.unicodeScalars.index(after: end)...]))
    }

    /// A text without the spaces and tabs at its ends, which programs add and take away.
    private static func withoutSpaces(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    /// Says another amount or note; what is not changed stays as it came.
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
        // Its parameters would be those of another text.
        remove(CalendarObject.description)
        if !text.isEmpty { set(CalendarObject.description, to: EscapedText.writing(text)) }
        remove(CalendarObject.amount)
        if let amount { set(CalendarObject.amount, to: EscapedText.writing(amount)) }
    }
}

extension CalendarObject {
    /// A new to-do.
    ///
    /// - Parameters:
    ///   - uid: names it; letters, digits and dashes.
    ///   - now: the time of this edit.
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

    /// Gives the to-do the title, the state, and the amount and note of a row; nil, or none, if the row has not changed it.
    ///
    /// Nothing else changes but the times of this edit. LAST-MODIFIED is later than it was, in its whole seconds, and never before
    /// COMPLETED, so that an older copy can be told from a later edit though clocks differ.
    package mutating func edit(title: String?, state: TodoState?, detail: [TodoDetail.Change], now: Date) {
        if let title { set("SUMMARY", to: EscapedText.writing(title)) }
        describe(detail)
        switch state {
        case .completed(let time):
            set("STATUS", to: "COMPLETED")
            set("PERCENT-COMPLETE", to: "100")
            // Parameters of an earlier time would be wrong.
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
