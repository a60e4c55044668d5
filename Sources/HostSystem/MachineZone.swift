import Foundation
import Glibc

/// The time zone of this machine or of the variable TZ, in any form of tzset(3). Foundation knows names of zones alone.
package enum MachineZone {
    /// Seconds east of UTC. A zone that changes while the process runs counts.
    package static func offset(at date: Date) -> Int {
        tzset()
        var (seconds, fields) = (time_t(date.timeIntervalSince1970.rounded(.down)), tm())
        localtime_r(&seconds, &fields)
        return fields.tm_gmtoff
    }

    /// The date at which a clock in a zone shows what a clock in UTC shows at `shown`; if it does so twice, either.
    package static func date(showing shown: Date, in zone: (Date) -> Int) -> Date {
        let guess = shown.addingTimeInterval(-Double(zone(shown)))
        return shown.addingTimeInterval(-Double(zone(guess)))
    }
}
