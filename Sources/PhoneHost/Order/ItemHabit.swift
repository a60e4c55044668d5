/// How often, and on which weekdays, the owner bought an item. From this, the phone estimates how likely it is that the owner
/// wants the item now.
package struct ItemHabit: Equatable, Sendable {
    /// The time of the first purchase, in local seconds since 1970.
    private let first: UInt32
    package private(set) var last: UInt32
    package private(set) var purchases = 1
    /// The number of purchases on each weekday. Index 0 is Thursday, the weekday of 1970-01-01.
    private var ofWeekday = [Int](repeating: 0, count: 7)

    private static let day: Double = 86_400
    /// The assumed seconds between purchases of an item that was bought only once: half a year. With four weeks, items that
    /// are bought yearly would come before items that are bought monthly. Among the 18 offered items, the simulated
    /// shoppers of `PastItemsTests` find 36 % of the items that they add again. With four weeks, they would find only 26 %.
    private static let unknownInterval = 182 * day
    /// If more than this number of average intervals pass without a purchase, `likelihood` is lower, because the owner may no
    /// longer use the item.
    private static let lapse = 4.0
    private static let lapsedShare = 0.3

    package init(boughtAt time: UInt32) {
        first = time
        last = time
        ofWeekday[ItemHabit.weekday(time)] += 1
    }

    /// Records a purchase. Purchases must be recorded in order of time.
    package mutating func bought(at time: UInt32) {
        last = max(last, time)
        purchases += 1
        ofWeekday[ItemHabit.weekday(time)] += 1
    }

    /// Estimates how likely it is that the owner wants the item. The result only serves to compare items.
    ///
    /// It is the product of three factors: the purchases per second; the share of the average interval that has passed since
    /// the last purchase, at most 1; and the share of purchases on this weekday. For a lapsed item, it is multiplied by 0.3.
    package func likelihood(at now: UInt32) -> Double {
        let onThisDay = Double(purchases(onDayOf: now) + 1) / Double(purchases + 2)
        let likelihood = min(1, intervals(at: now)) * onThisDay / interval
        return isLapsed(at: now) ? ItemHabit.lapsedShare * likelihood : likelihood
    }

    /// The average number of seconds between purchases, at least a day.
    package var interval: Double {
        max(ItemHabit.day, purchases > 1 ? Double(last - first) / Double(purchases - 1) : ItemHabit.unknownInterval)
    }

    package func intervals(at now: UInt32) -> Double { Double(now > last ? now - last : 0) / interval }

    package func isLapsed(at now: UInt32) -> Bool { intervals(at: now) > ItemHabit.lapse }

    package func purchases(onDayOf time: UInt32) -> Int { ofWeekday[ItemHabit.weekday(time)] }

    private static func weekday(_ time: UInt32) -> Int { Int(time / 86_400 % 7) }
}
