/// The amount and note of an item.
public struct ItemDetail: Equatable, Sendable {
    /// The amount, for example "2 l", on one line; nil if there is none.
    public let amount: String?
    /// The note, for example "the green ones", on one line; nil if there is none.
    public let note: String?

    /// No amount and no note.
    public static let none = ItemDetail()

    /// Cleans the amount and the note like titles. If cleaning leaves no text, the amount or note becomes nil.
    public init(amount: String? = nil, note: String? = nil) {
        self.amount = amount.flatMap { try? CleanTitle($0).text }
        self.note = note.flatMap { try? CleanTitle($0).text }
    }

    /// Writes the item on one line, for watches and exports: `Milk, 2 l (the green ones)`.
    public func text(behind title: String) -> String {
        title + (amount.map { ", \($0)" } ?? "") + (note.map { " (\($0))" } ?? "")
    }

    /// Writes the item on one line, for a caller that cuts the line after `most` bytes of UTF-8. If that cut would hit the
    /// amount, drops the note and shortens the title with an ellipsis, so that the line ends with the amount and fits.
    ///
    /// If the amount has more than `most / 2 - 5` bytes, returns the whole line.
    public func text(behind title: String, fitting most: Int) -> String {
        let whole = text(behind: title)
        guard whole.utf8.count > most, let amount else { return whole }
        let end = "…, \(amount)"
        guard "\(title), \(amount)".utf8.count > most, end.utf8.count <= most / 2 else { return whole }
        var short = title
        while short.utf8.count + end.utf8.count > most { short.removeLast() }
        return short + end
    }

    /// Adds the amounts as `AmountSum` does, and joins the notes with semicolons, each note once.
    package func adding(_ other: ItemDetail) -> ItemDetail {
        let notes = [self, other].flatMap { $0.note?.split(separator: "; ") ?? [] }
        let said = notes.enumerated().filter { !notes[..<$0.offset].contains($0.element) }.map(\.element)
        let sum = amount.flatMap { amount in other.amount.map { AmountSum.of(amount, $0) } }
        return ItemDetail(amount: sum ?? amount ?? other.amount, note: said.joined(separator: "; "))
    }
}

/// A new item, made from one pasted line or from several with the same title.
package struct JoinedDraft: Equatable, Sendable {
    package private(set) var draft: ItemDraft
    package private(set) var parts: [String]

    /// Joins open items that have the same title. The joined item has the position of the first of them, the sum of their
    /// amounts, and all their notes.
    package static func all(of drafts: [ItemDraft]) -> [JoinedDraft] {
        var joined: [JoinedDraft] = []
        var places: [ItemKey: Int] = [:]
        for draft in drafts {
            let (key, part) = (ItemKey(title: draft.title.text), draft.detail.text(behind: draft.title.text))
            if draft.kind == .open, let place = places[key] {
                joined[place].draft.detail = joined[place].draft.detail.adding(draft.detail)
                joined[place].parts.append(part)
            } else {
                if draft.kind == .open { places[key] = joined.count }
                joined.append(JoinedDraft(draft: draft, parts: [part]))
            }
        }
        return joined
    }

    package static func remark(_ parts: [String], _ item: String) -> String? {
        parts.count > 1 ? "Joined \(parts.map { "\"\($0)\"" }.joined(separator: " + ")) as \"\(item)\"" : nil
    }
}
