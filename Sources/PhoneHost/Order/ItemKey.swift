/// Two items are the same if their titles differ only in case and spacing, like "eggs" and "Eggs ". IDs do not work, because an
/// item that is added again has a new one.
package struct ItemKey: Hashable, Comparable, Sendable {
    /// The folded title.
    package let text: String

    package init(title: String) {
        text = title.split(separator: " ").joined(separator: " ").lowercased()
    }

    package static func < (left: ItemKey, right: ItemKey) -> Bool { left.text < right.text }
}
