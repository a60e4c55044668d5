/// A list: its name and its items in order.
public struct ListContents: Equatable, Sendable {
    /// The list's name.
    public var name: String
    /// The open and the checked items, in order of rank, then of ID.
    public var items: [StoredItem]

    /// The open items, in the list's order.
    public var open: [StoredItem] { items.filter(\.state.isOpen) }

    package var checked: [StoredItem] { items.filter { !$0.state.isOpen } }

    /// The items in the order in which commands number them: first the open ones, then the checked ones.
    package var numbered: [StoredItem] { open + checked }
}

package struct ListSummary: Equatable, Sendable {
    package var name: String
    package var open: Int
    package var checked: Int
    package var isActive: Bool
}

package enum ListPosition: Equatable, Sendable {
    /// The position among the open items, starting at 1. A number larger than the count of open items means the last position.
    case number(Int)
    case before(String)
    case after(String)

    /// Parses `first`, `last`, a number, `before ITEM` or `after ITEM`; nil for anything else.
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

package struct ShopOrder: Equatable, Sendable {
    package let shop: ShopSummary
    package let learned: LearnedOrder
}

/// A shop, its lists, and how many trips and items its learned order has. The property names are the keys of the JSON output.
package struct ShopSummary: Equatable, Sendable, Encodable {
    /// The name of the shop. A list that is assigned to no named shop has a shop of its own, with the list's name.
    package let name: String
    package let kind: Kind
    package let lists: [String]
    package let trips: Int
    package let items: Int

    package enum Kind: String, Equatable, Sendable, Encodable {
        case named
        case ofList
    }
}
