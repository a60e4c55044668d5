/// A new item, made from one pasted line or from several with the same title.
package struct JoinedDraft: Equatable, Sendable {
    package private(set) var draft: ItemDraft
    /// The text of each pasted line.
    package private(set) var parts: [String]

    /// Joins open items with the same title. The joined item takes the place of the first one, and has the sum of their amounts
    /// and all their notes.
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

    /// A sentence that says which parts became one item; nil if there is only one part.
    package static func remark(_ parts: [String], _ item: String) -> String? {
        parts.count > 1 ? "Joined \(parts.map { "\"\($0)\"" }.joined(separator: " + ")) as \"\(item)\"" : nil
    }
}
