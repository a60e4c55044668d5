import Foundation
import Glibc

/// The time zone of this machine, or of the environment variable TZ if it is set. TZ may have any form that tzset(3) accepts,
/// while Foundation accepts only the names of zones.
package enum MachineZone {
    /// Returns the zone's offset at a date, in seconds east of UTC. Reads the zone again at each call.
    package static func offset(at date: Date) -> Int {
        tzset()
        var (seconds, fields) = (time_t(date.timeIntervalSince1970.rounded(.down)), tm())
        localtime_r(&seconds, &fields)
        return fields.tm_gmtoff
    }

    /// Converts a local time to a date. If the local time occurs twice, returns one of its two dates.
    /// - Parameters:
    ///   - shown: the date at which a clock in UTC would show the local time.
    ///   - zone: returns the zone's offset at a date, in seconds east of UTC.
    package static func date(showing shown: Date, in zone: (Date) -> Int) -> Date {
        let guess = shown.addingTimeInterval(-Double(zone(shown)))
        return shown.addingTimeInterval(-Double(zone(guess)))
    }
}
