import Foundation

/// What a to-do says beside its title, as a list shows it.
package struct TodoDetail: Equatable, Sendable {
    /// How much of it; nil where nothing is said.
    package var amount: String?
    /// What else matters; nil where nothing is said.
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

/// Amount and note are in DESCRIPTION, which other programs show as the note: the amount on the first line, the note behind it.
/// X-TAPLINE-AMOUNT says the amount once more: where it is the first line, that is one, and where others have written something else
/// there, all is the note.
extension CalendarObject {
    private static let description = "DESCRIPTION"
    private static let amount = "X-TAPLINE-AMOUNT"

    /// How much of it; nil where DESCRIPTION does not begin with that.
    package var amount: String? { describedParts.amount }

    /// What DESCRIPTION says beside the amount, in any number of lines; empty where it says nothing.
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
