/// An item that several lines of one title give, or one.
package struct JoinedDraft: Equatable, Sendable {
    package private(set) var draft: ItemDraft
    /// What each of the lines says.
    package private(set) var parts: [String]

    /// The items of some lines. Open ones of one title are one, in the place of the first: amounts and notes are joined.
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

    /// A sentence about what was joined to give an item; nil for a single part.
    package static func remark(_ parts: [String], _ item: String) -> String? {
        parts.count > 1 ? "Joined \(parts.map { "\"\($0)\"" }.joined(separator: " + ")) as \"\(item)\"" : nil
    }
}
