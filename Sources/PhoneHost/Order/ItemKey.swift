/// What makes two items the same: the title, in whatever case and however it is spaced, "eggs" and "Eggs ". An item that is added again has another
/// identifier, so identifiers say nothing.
package struct ItemKey: Hashable, Comparable, Sendable {
    /// The folded title.
    package let text: String

    package init(title: String) {
        text = title.split(separator: " ").joined(separator: " ").lowercased()
    }

    package static func < (left: ItemKey, right: ItemKey) -> Bool { left.text < right.text }
}
