/// Identifies an item by its title, without case and extra spaces: "eggs" and "Eggs " are one item. An ID does not identify
/// the item, because the item gets a new ID each time it is added.
package struct ItemKey: Hashable, Comparable, Sendable {
    /// The title in lowercase, with single spaces.
    package let text: String

    package init(title: String) {
        text = title.split(separator: " ").joined(separator: " ").lowercased()
    }

    package static func < (left: ItemKey, right: ItemKey) -> Bool { left.text < right.text }
}
