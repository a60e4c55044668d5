import ShoppingOrder

/// The order that was learned of a store.
package struct StoreOrder: Equatable, Sendable {
    package let store: StoreSummary
    package let learned: LearnedOrder
}

/// A store, with what is known of it.
package struct StoreSummary: Equatable, Sendable {
    /// Its name, or that of the list whose own it is.
    package let name: String
    /// Whether it was given a name, or stands for a list that was assigned to no store.
    package let isNamed: Bool
    /// The lists that are assigned to it now.
    package let lists: [String]
    /// How many trips its order was learned from, and how many items are in it.
    package let trips: Int
    package let items: Int
}
