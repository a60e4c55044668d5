import ShoppingOrder

/// Whose check-offs teach a store's order.
package enum OrderTeacher: Equatable, Sendable {
    /// Everybody's: a household shares the order.
    case everyone
    /// Those that are made on the phone, by a command or in its own view.
    case phone
    /// Those of the watch of this identity.
    case watch(UInt64)
}

/// The order that was learned of a store.
package struct ShopOrder: Equatable, Sendable {
    package let store: ShopSummary
    package let learned: LearnedOrder
}

/// A store, with what is known of it.
package struct ShopSummary: Equatable, Sendable {
    /// Its name, or that of the list whose own it is.
    package let name: String
    package let kind: Kind
    package let teacher: OrderTeacher
    /// The lists that are assigned to it now.
    package let lists: [String]
    /// How many trips its order was learned from, and how many items are in it.
    package let trips: Int
    package let items: Int

    package enum Kind: String, Equatable, Sendable {
        /// It was given a name.
        case named
        /// It stands for a list that was assigned to no store.
        case ofList
    }
}
