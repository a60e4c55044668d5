import Foundation
import HostSystem
import Wormhole

/// The clock, time zone and random source of the phone, which tests replace.
package struct PhoneDependencies: Sendable {
    package var now: @Sendable () -> Date
    /// The wearer's offset from UTC at a date, in seconds east. It may change while the phone runs.
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

    /// What the wearer's clock shows at a date, as seconds since 1970 in the wearer's zone; 0 for earlier dates.
    func localSeconds(_ date: Date) -> UInt32 {
        let seconds = date.timeIntervalSince1970 + Double(zone(date))
        return UInt32(exactly: max(0, seconds.rounded(.down))) ?? .max
    }

    /// The date at which the wearer's clock shows `seconds` since 1970. If the clock shows this time twice, returns either date.
    func date(ofLocalSeconds seconds: UInt32) -> Date {
        MachineZone.date(showing: Date(timeIntervalSince1970: Double(seconds)), in: zone)
    }

    /// The local day number, counted from 1970-01-01. A watch has a budget of pushes for each day.
    var localDay: UInt32 { ComplicationBudget.day(ofLocalTime: localSeconds(now())) }

    var generator: Generator { Generator(random: random) }

    struct Generator: RandomNumberGenerator {
        let random: @Sendable () -> UInt64

        mutating func next() -> UInt64 { random() }
    }
}
