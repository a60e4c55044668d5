/// What makes two items the same for an order: the title, in whatever case. An item that is added again has another
/// identifier, so identifiers say nothing.
package struct ItemKey: Hashable, Comparable, Sendable {
    /// The folded title.
    package let text: String

    /// - Parameter title: a title without white space at its ends.
    package init(title: String) {
        text = title.lowercased()
    }

    package static func < (left: ItemKey, right: ItemKey) -> Bool { left.text < right.text }
}
