/// How often, and on which days of the week, the owner bought an item. It predicts when the item is wanted again.
package struct ItemHabit: Equatable, Sendable {
    /// In local seconds since 1970.
    private let first: UInt32
    package private(set) var last: UInt32
    package private(set) var purchases = 1
    /// Purchases by day of the week, starting on Thursday, like 1970.
    private var ofWeekday = [Int](repeating: 0, count: 7)

    private static let day: Double = 86_400
    /// Assumed for an item that was bought once: half a year. With four weeks, yearly items came before monthly ones, and
    /// PastItemsTests found only 26 % of later additions among 18 offers.
    private static let unknownInterval = 182 * day
    /// An item that was not bought for four of its intervals may no longer be used.
    private static let lapse = 4.0
    private static let lapsedShare = 0.3

    /// - Parameter time: the first purchase, in local seconds since 1970.
    package init(boughtAt time: UInt32) {
        first = time
        last = time
        ofWeekday[ItemHabit.weekday(time)] += 1
    }

    /// Adds a purchase. Its time must not be before the others.
    package mutating func bought(at time: UInt32) {
        last = max(last, time)
        purchases += 1
        ofWeekday[ItemHabit.weekday(time)] += 1
    }

    /// How likely the item is wanted, relative to other items. It is the purchase rate, times how much of the interval has
    /// passed, times the share of purchases on this day of the week.
    package func likelihood(at now: UInt32) -> Double {
        let onThisDay = Double(purchases(onDayOf: now) + 1) / Double(purchases + 2)
        let likelihood = min(1, intervals(at: now)) * onThisDay / interval
        return isLapsed(at: now) ? ItemHabit.lapsedShare * likelihood : likelihood
    }

    /// Seconds between two purchases, at least a day.
    package var interval: Double {
        max(ItemHabit.day, purchases > 1 ? Double(last - first) / Double(purchases - 1) : ItemHabit.unknownInterval)
    }

    /// The number of intervals since the last purchase.
    package func intervals(at now: UInt32) -> Double { Double(now > last ? now - last : 0) / interval }

    /// Whether the item may no longer be used.
    package func isLapsed(at now: UInt32) -> Bool { intervals(at: now) > ItemHabit.lapse }

    package func purchases(onDayOf time: UInt32) -> Int { ofWeekday[ItemHabit.weekday(time)] }

    private static func weekday(_ time: UInt32) -> Int { Int(time / 86_400 % 7) }
}
