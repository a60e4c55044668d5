/// The items of earlier trips, likeliest first.
package enum PastItems {
    /// A purchase and its time, in local seconds since 1970.
    package struct Purchase: Equatable, Sendable {
        package let title: String
        package let time: UInt32
    }

    /// An item that was bought before, with the latest spelling of its title.
    package struct Known: Equatable, Sendable {
        package fileprivate(set) var title: String
        package fileprivate(set) var habit: ItemHabit
    }

    /// What the watches offer for a list, likeliest first, at a time in local seconds since 1970.
    package struct Offer: Equatable, Sendable {
        package let list: String
        package let time: UInt32
        package let items: [Known]
    }

    /// The likeliest titles that are not on the list, in their latest spelling.
    ///
    /// - Parameters:
    ///   - purchases: in any order.
    ///   - open: the titles on the list.
    ///   - now: in local seconds since 1970.
    package static func likeliest(
        of purchases: [Purchase], notIn open: [String], at now: UInt32, most: Int
    ) -> [String] {
        let present = Set(open.map { ItemKey(title: $0) })
        let ranked = known(by: purchases).filter { !present.contains($0.key) }
            .map { (key: $0.key, title: $0.value.title, likelihood: $0.value.habit.likelihood(at: now)) }
        return
            ranked
            .sorted { ($1.likelihood, $0.key) < ($0.likelihood, $1.key) }
            .prefix(most).map(\.title)
    }

    package static func known(by purchases: [Purchase]) -> [ItemKey: Known] {
        var known: [ItemKey: Known] = [:]
        for purchase in purchases.sorted(by: { $0.time < $1.time }) {
            let key = ItemKey(title: purchase.title)
            known[key]?.habit.bought(at: purchase.time)
            known[key, default: Known(title: "", habit: ItemHabit(boughtAt: purchase.time))].title = purchase.title
        }
        return known
    }
}
