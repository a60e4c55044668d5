import Foundation
import Glibc

/// The time zone of this machine or of the variable TZ, in any form of tzset(3). Foundation understands only names of zones.
package enum MachineZone {
    /// Seconds east of UTC. A zone that changes while the process runs takes effect.
    package static func offset(at date: Date) -> Int {
        tzset()
        var (seconds, fields) = (time_t(date.timeIntervalSince1970.rounded(.down)), tm())
        localtime_r(&seconds, &fields)
        return fields.tm_gmtoff
    }

    /// The date whose local time in `zone` reads like the UTC time of `shown`; either one if there are two.
    package static func date(showing shown: Date, in zone: (Date) -> Int) -> Date {
        let guess = shown.addingTimeInterval(-Double(zone(shown)))
        return shown.addingTimeInterval(-Double(zone(guess)))
    }
}
