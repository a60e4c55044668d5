import WatchLink

/// The hours of the week in which the owner usually goes shopping, found from earlier check-offs.
///
/// A trip is a run of check-offs with gaps of at most two hours. It counts for the full hour nearest to its start. An hour is
/// usual if it had a trip in three of the last six weeks.
package struct UsualTrips: Equatable, Sendable {
    /// The usual hours, in seconds since the beginning of the week. A week begins on Thursday, the weekday of 1970-01-01.
    let hours: [UInt32]

    /// The longest time between two check-offs of one trip, in seconds.
    static let longestGap: UInt32 = 7_200
    /// The number of past weeks that count.
    package static let weeks: UInt32 = 6
    static let fewestWeeks = 3
    /// How far ahead the complication announces trips, in seconds.
    private static let horizon = 2 * week
    /// An announcement begins this many seconds before the hour of its trip, or later if the previous one still lasts.
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

    /// The announcements for the next two weeks. They do not overlap. Usual hours up to two hours after `lastTrip` are left out,
    /// because the owner has already made those trips.
    ///
    /// - Parameter lastTrip: when an item was last checked off, in local seconds since 1970; nil for never.
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
