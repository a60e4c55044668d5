/// The order that was learned of a store.
package struct ShopOrder: Equatable, Sendable {
    package let store: ShopSummary
    package let learned: LearnedOrder
}

/// A store, with what is known of it. The names are those of the JSON.
package struct ShopSummary: Equatable, Sendable, Encodable {
    /// Its name, or that of the list whose own it is.
    package let name: String
    package let kind: Kind
    /// The lists that are assigned to it now.
    package let lists: [String]
    /// How many trips its order was learned from, and how many items are in it.
    package let trips: Int
    package let items: Int

    package enum Kind: String, Equatable, Sendable, Encodable {
        /// It was given a name.
        case named
        /// It stands for a list that was assigned to no store.
        case ofList
    }
}
