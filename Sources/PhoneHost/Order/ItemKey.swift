/// Identifies an item by its title, without case and extra spaces: "eggs" and "Eggs " are one item. An ID cannot do that,
/// because an item that is added again has a new one.
package struct ItemKey: Hashable, Comparable, Sendable {
    /// The title in lowercase, with single spaces.
    package let text: String

    package init(title: String) {
        text = title.split(separator: " ").joined(separator: " ").lowercased()
    }

    package static func < (left: ItemKey, right: ItemKey) -> Bool { left.text < right.text }
}
