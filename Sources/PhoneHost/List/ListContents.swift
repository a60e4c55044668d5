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

/// A place among the open items of a list.
package enum ListPosition: Equatable, Sendable {
    /// From 1; a number beyond the end is the last place.
    case number(Int)
    /// Beside the item that this means.
    case before(String)
    case after(String)

    /// A place from `first`, `last`, a number, `before ITEM` or `after ITEM`; nil for anything else.
    package init?(_ words: [String]) {
        switch (words.first, words.count) {
        case ("first", 1): self = .number(1)
        case ("last", 1): self = .number(.max)
        case ("before", 2): self = .before(words[1])
        case ("after", 2): self = .after(words[1])
        case (let word?, 1):
            guard let number = Int(word), number > 0 else { return nil }
            self = .number(number)
        case _: return nil
        }
    }
}
