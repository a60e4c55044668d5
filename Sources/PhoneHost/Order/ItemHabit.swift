/// How often, and on which days of the week, the owner has bought something: what tells how likely it is wanted again.
package struct ItemHabit: Equatable, Sendable {
    /// When it was bought first and last, in local seconds since 1970.
    private let first: UInt32
    package private(set) var last: UInt32
    package private(set) var purchases = 1
    /// The purchases of each day of the week, from Thursday on, as 1970 began.
    private var ofWeekday = [Int](repeating: 0, count: 7)

    private static let day: Double = 86_400
    /// The interval of something that was bought once: half a year. Shorter ones put things that are bought once a
    /// year before what is bought every month (PastItemsTests: of what is added again, 26 % among 18 with four weeks).
    private static let unknownInterval = 182 * day
    /// Something that was not bought for four of its intervals has perhaps gone out of use.
    private static let lapse = 4.0
    private static let lapsedShare = 0.3

    /// The habit of something that was bought at a time, in local seconds since 1970.
    package init(boughtAt time: UInt32) {
        first = time
        last = time
        ofWeekday[ItemHabit.weekday(time)] += 1
    }

    /// It was bought again, at a time that is not before the others.
    package mutating func bought(at time: UInt32) {
        last = max(last, time)
        purchases += 1
        ofWeekday[ItemHabit.weekday(time)] += 1
    }

    /// How likely it is wanted at a time, beside other items: the rate of its purchases, times how far it is due again, times the
    /// share of them on this day of the week.
    package func likelihood(at now: UInt32) -> Double {
        let onThisDay = Double(purchases(onDayOf: now) + 1) / Double(purchases + 2)
        let likelihood = min(1, intervals(at: now)) * onThisDay / interval
        return isLapsed(at: now) ? ItemHabit.lapsedShare * likelihood : likelihood
    }

    /// Seconds between two purchases, a day at least.
    package var interval: Double {
        max(ItemHabit.day, purchases > 1 ? Double(last - first) / Double(purchases - 1) : ItemHabit.unknownInterval)
    }

    /// How many intervals have passed since it was bought last.
    package func intervals(at now: UInt32) -> Double { Double(now > last ? now - last : 0) / interval }

    /// Whether it has perhaps gone out of use.
    package func isLapsed(at now: UInt32) -> Bool { intervals(at: now) > ItemHabit.lapse }

    /// The purchases on the day of the week of a time.
    package func purchases(onDayOf time: UInt32) -> Int { ofWeekday[ItemHabit.weekday(time)] }

    private static func weekday(_ time: UInt32) -> Int { Int(time / 86_400 % 7) }
}
