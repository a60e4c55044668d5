import Foundation
import HostSystem
import Wormhole

/// The phone's clock, time zone and random source. Tests replace them.
package struct PhoneDependencies: Sendable {
    package var now: @Sendable () -> Date
    /// The offset of the wearer's time zone from UTC at a date, in seconds, positive east of Greenwich. The zone may change
    /// while the phone runs.
    package var zone: @Sendable (Date) -> Int
    package var random: @Sendable () -> UInt64

    package init(
        now: @escaping @Sendable () -> Date, zone: @escaping @Sendable (Date) -> Int,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        self.zone = zone
        self.random = random
    }

    static var system: PhoneDependencies {
        PhoneDependencies(now: { Date() }, zone: MachineZone.offset, random: { .random(in: .min ... .max) })
    }

    /// Converts a date to local seconds since 1970: the time that the wearer's clock shows, in seconds since it showed
    /// 1970-01-01 00:00. Earlier dates give 0, and dates after the range of UInt32 (2106) give `UInt32.max`.
    func localSeconds(_ date: Date) -> UInt32 {
        let seconds = date.timeIntervalSince1970 + Double(zone(date))
        return UInt32(exactly: max(0, seconds.rounded(.down))) ?? .max
    }

    /// Returns the date at which the wearer's clock shows a time, given in local seconds since 1970. If the clock shows
    /// that time twice, returns either date.
    func date(ofLocalSeconds seconds: UInt32) -> Date {
        MachineZone.date(showing: Date(timeIntervalSince1970: Double(seconds)), in: zone)
    }

    /// Today's day number: the days since 1970-01-01 by the wearer's clock. Each watch has a budget of pushes for each day.
    var localDay: UInt32 { ComplicationBudget.day(ofLocalTime: localSeconds(now())) }

    var generator: Generator { Generator(random: random) }

    struct Generator: RandomNumberGenerator {
        let random: @Sendable () -> UInt64

        mutating func next() -> UInt64 { random() }
    }
}
