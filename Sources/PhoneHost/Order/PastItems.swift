/// Ranks the items of earlier trips by how likely the owner wants them again.
package enum PastItems {
    /// A check-off of an item. `time` is when the phone stored it, in local seconds since 1970.
    package struct Purchase: Equatable, Sendable {
        package let title: String
        package let time: UInt32
    }

    /// An item that the owner has bought. `title` is spelled as in the newest purchase.
    package struct Known: Equatable, Sendable {
        package fileprivate(set) var title: String
        package fileprivate(set) var habit: ItemHabit
    }

    /// The past items that watches offer to add to `list`, likeliest first. `time` is when this offer was read from the
    /// database, in local seconds since 1970.
    package struct Offer: Equatable, Sendable {
        package let list: String
        package let time: UInt32
        package let items: [Known]
    }

    /// Returns up to `most` titles, sorted by how likely the owner wants the items, likeliest first. Leaves out the titles
    /// in `open`. The time `now` is in local seconds since 1970.
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
