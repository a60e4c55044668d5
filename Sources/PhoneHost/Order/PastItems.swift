/// The items of earlier trips, likeliest first.
package enum PastItems {
    /// A purchase of the past: what was bought, and when, in local seconds since 1970.
    package struct Purchase: Equatable, Sendable {
        package let title: String
        package let time: UInt32

        package init(title: String, time: UInt32) {
            self.title = title
            self.time = time
        }
    }

    /// The titles that are likeliest wanted, without those that are on the list; each as it was written last.
    ///
    /// - Parameters:
    ///   - purchases: in any order.
    ///   - open: the titles on the list.
    ///   - now: the present time, in local seconds since 1970.
    package static func likeliest(
        of purchases: [Purchase], notIn open: [String], at now: UInt32, most: Int
    ) -> [String] {
        let present = Set(open.map { ItemKey(title: $0) })
        var habits: [ItemKey: (habit: ItemHabit, title: String)] = [:]
        for purchase in purchases.sorted(by: { $0.time < $1.time }) {
            let key = ItemKey(title: purchase.title)
            guard !present.contains(key) else { continue }
            if var known = habits[key] {
                known.habit.bought(at: purchase.time)
                known.title = purchase.title
                habits[key] = known
            } else {
                habits[key] = (ItemHabit(boughtAt: purchase.time), purchase.title)
            }
        }
        let ranked = habits.map { (key: $0.key, title: $0.value.title, likelihood: $0.value.habit.likelihood(at: now)) }
        return
            ranked
            .sorted { ($1.likelihood, $0.key) < ($0.likelihood, $1.key) }
            .prefix(most).map(\.title)
    }
}
