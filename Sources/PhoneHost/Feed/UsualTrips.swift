import WatchLink

/// The hours of the week at which the owner usually begins to shop, for example Saturday 10:00, found from earlier check-offs.
///
/// A trip is a series of check-offs, each at most two hours after the previous check-off. The hour of a trip is the full hour
/// nearest to its start. An hour of the week is usual if at least three of the last six weeks had a trip at this hour.
package struct UsualTrips: Equatable, Sendable {
    /// The usual hours, in local seconds since the beginning of the week. A week begins on Thursday at 00:00, because 1970-01-01
    /// was a Thursday.
    let hours: [UInt32]

    /// The maximum time from one check-off of a trip to the next, in seconds.
    static let longestGap: UInt32 = 7_200
    /// The number of past weeks whose trips count.
    package static let weeks: UInt32 = 6
    static let fewestWeeks = 3
    /// The minimum time ahead for which `spans` plans announcements, in seconds.
    private static let horizon = 2 * week
    /// An announcement begins this many seconds before its usual hour, but not before the previous announcement ends.
    private static let lead: UInt32 = 12 * hour
    private static let lag: UInt32 = hour

    package static let week: UInt32 = 7 * 24 * hour
    private static let hour: UInt32 = 3_600

    /// - Parameters:
    ///   - checkOffs: the times of check-offs in local seconds since 1970, in any order.
    ///   - now: the present time, in local seconds since 1970.
    package init(checkOffs: [UInt32] = [], now: UInt32 = 0) {
        var weeks: [UInt32: Set<UInt32>] = [:]
        for start in UsualTrips.beginnings(of: checkOffs.sorted()) where start <= now {
            let age = (now - start) / UsualTrips.week
            guard age < UsualTrips.weeks else { continue }
            let rounded = start.addingReportingOverflow(UsualTrips.hour / 2).partialValue
            weeks[rounded % UsualTrips.week / UsualTrips.hour * UsualTrips.hour, default: []].insert(age)
        }
        hours = weeks.filter { $0.value.count >= UsualTrips.fewestWeeks }.keys.sorted()
    }

    package var isEmpty: Bool { hours.isEmpty }

    private static func beginnings(of checkOffs: [UInt32]) -> [UInt32] {
        var beginnings: [UInt32] = []
        var last: UInt32?
        for time in checkOffs {
            if last.map({ time - $0 > longestGap }) ?? true { beginnings.append(time) }
            last = time
        }
        return beginnings
    }

    /// Announces the usual hours of at least the next two weeks. The announcements do not overlap. A usual hour is left out
    /// if it is no later than two hours after `lastTrip`, because the owner has already made that trip.
    ///
    /// - Parameters:
    ///   - now: the present time, in local seconds since 1970.
    ///   - lastTrip: when an item was last checked off, in local seconds since 1970; nil for never.
    func spans(from now: UInt32, lastTrip: UInt32?) -> [ComplicationSpan] {
        let begin = UInt64(now - now % UsualTrips.week)
        let made = lastTrip.map { UInt64($0) + UInt64(UsualTrips.longestGap) } ?? 0
        let times = (0..<UInt64(UsualTrips.horizon / UsualTrips.week) + 1).flatMap { week in
            hours.map { begin + week * UInt64(UsualTrips.week) + UInt64($0) }
        }
        var free: UInt64 = 0
        return times.compactMap { time in
            let end = time + UInt64(UsualTrips.lag)
            guard time > made, end > UInt64(now), let last = UInt32(exactly: end) else { return nil }
            defer { free = end }
            let start = max(time - min(time, UInt64(UsualTrips.lead)), free)
            return ComplicationSpan(
                .usualTrip, from: UInt32(start), to: last, .text, text: UsualTrips.text(UInt32(time)),
                relevance: ComplicationFeed.usualTripRelevance)
        }
    }

    /// The text of an announcement, for example `Usual trip Sat 10:00`.
    private static func text(_ time: UInt32) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let hour = time / self.hour % 24
        return "Usual trip \(days[Int(time / (24 * self.hour) % 7)]) \(hour < 10 ? "0" : "")\(hour):00"
    }
}
