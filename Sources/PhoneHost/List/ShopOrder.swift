package struct ShopOrder: Equatable, Sendable {
    package let shop: ShopSummary
    package let learned: LearnedOrder
}

/// A shop and what is known about it. The names are those of the JSON.
package struct ShopSummary: Equatable, Sendable, Encodable {
    /// The shop's name. If it belongs to one list, that list's name.
    package let name: String
    package let kind: Kind
    /// The lists that are assigned to it now.
    package let lists: [String]
    /// The number of trips from which its order was learned, and of items in the order.
    package let trips: Int
    package let items: Int

    package enum Kind: String, Equatable, Sendable, Encodable {
        case named
        /// The shop belongs to a list that is assigned to no named shop.
        case ofList
    }
}
