/// A list: its name and its items in order.
public struct ListContents: Equatable, Sendable {
    /// The list's name.
    public var name: String
    /// Its items, open and checked, in the order of rank, then of id.
    public var items: [StoredItem]

    /// The items that are open, in order.
    public var open: [StoredItem] { items.filter(\.state.isOpen) }

    package var checked: [StoredItem] { items.filter { !$0.state.isOpen } }

    /// The items as they are numbered for people, from 1: first the open ones, then the checked ones.
    package var numbered: [StoredItem] { open + checked }
}

/// A list with its counts.
package struct ListSummary: Equatable, Sendable {
    /// Unique among the lists.
    package var name: String
    package var open: Int
    package var checked: Int
    /// Whether the watches show this list.
    package var isActive: Bool
}
