import Foundation
import HostSystem
import Wormhole

/// What a phone takes from outside, as arguments.
package struct PhoneDependencies: Sendable {
    /// The wall clock.
    package var now: @Sendable () -> Date
    /// Seconds east of UTC at a date, where the wearer is: that may change while a host runs.
    package var zone: @Sendable (Date) -> Int
    /// Sixty-four random bits.
    package var random: @Sendable () -> UInt64

    /// The phone takes these.
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

    /// `date` as the wearer's wall clock shows it: seconds since 1970 in the wearer's zone, 0 for earlier dates.
    func localSeconds(_ date: Date) -> UInt32 {
        let seconds = date.timeIntervalSince1970 + Double(zone(date))
        return UInt32(exactly: max(0, seconds.rounded(.down))) ?? .max
    }

    /// The date at which the wearer's wall clock shows `seconds` since 1970; where it does so twice, either.
    func date(ofLocalSeconds seconds: UInt32) -> Date {
        MachineZone.date(showing: Date(timeIntervalSince1970: Double(seconds)), in: zone)
    }

    /// The local day, counted from 1970-01-01, that complication messages are charged to.
    var localDay: UInt32 { ComplicationBudget.day(ofLocalTime: localSeconds(now())) }

    /// `random` as the standard library uses it.
    var generator: Generator { Generator(random: random) }

    struct Generator: RandomNumberGenerator {
        let random: @Sendable () -> UInt64

        mutating func next() -> UInt64 { random() }
    }
}
