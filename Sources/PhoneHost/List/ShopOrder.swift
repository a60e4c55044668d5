package struct ShopOrder: Equatable, Sendable {
    package let shop: ShopSummary
    package let learned: LearnedOrder
}

/// A shop, its lists, and how much its order has learned. The property names are those of the JSON.
package struct ShopSummary: Equatable, Sendable, Encodable {
    /// The name of the shop. If a list has a shop of its own, both have the same name.
    package let name: String
    package let kind: Kind
    /// The lists that are assigned to the shop now.
    package let lists: [String]
    /// The number of trips from which the order was learned.
    package let trips: Int
    package let items: Int

    package enum Kind: String, Equatable, Sendable, Encodable {
        case named
        /// The shop belongs to one list, which is assigned to no named shop.
        case ofList
    }
}
