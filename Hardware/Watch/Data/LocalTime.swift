struct CalendarFields: Equatable, Sendable, BitwiseCopyable {
    /// From 1970 to 2106.
    var year: Int
    /// From 1 (January) to 12 (December).
    var month: Int
    /// From 1 to 31.
    var day: Int
    /// From 0 (Sunday) to 6 (Saturday).
    var weekday: Int
    /// From 0 to 23.
    var hour: Int
    /// From 0 to 59.
    var minute: Int

    init(_ time: LocalTime) {
        let minutes = Int(time.seconds / 60)
        let days = minutes / 1_440
        hour = minutes / 60 % 24
        minute = minutes % 60
        // 1970-01-01 was a Thursday.
        weekday = (days + 4) % 7
        // Years count from 1 March 1968, so that a leap day ends each cycle of four years. Of 1970 to 2106, only 2100 breaks the
        // cycle.
        var day = days + 671
        if days >= 47_541 { day += 1 }
        let cycle = day / 1_461
        let yearOfCycle = min(day % 1_461 / 365, 3)
        let dayOfYear = day % 1_461 - yearOfCycle * 365
        // From March on, the lengths 31, 30, 31, 30, 31 repeat, together 153 days.
        let fromMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
        month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        year = 1968 + cycle * 4 + yearOfCycle + (fromMarch < 10 ? 0 : 1)
    }

    /// The full name. Its first three letters are the short name.
    var weekdayName: StaticString {
        switch weekday {
        case 0: "Sunday"
        case 1: "Monday"
        case 2: "Tuesday"
        case 3: "Wednesday"
        case 4: "Thursday"
        case 5: "Friday"
        case _: "Saturday"
        }
    }

    var monthName: StaticString {
        switch month {
        case 1: "Jan"
        case 2: "Feb"
        case 3: "Mar"
        case 4: "Apr"
        case 5: "May"
        case 6: "Jun"
        case 7: "Jul"
        case 8: "Aug"
        case 9: "Sep"
        case 10: "Oct"
        case 11: "Nov"
        case _: "Dec"
        }
    }
}

/// A local time in whole seconds, from 1970 to February 2106.
public struct LocalTime: Comparable, Sendable, BitwiseCopyable {
    /// Seconds since 1970-01-01 00:00 local time.
    public var seconds: UInt32

    /// Makes the time this many seconds after 1970-01-01 00:00 local time.
    public init(seconds: UInt32) {
        self.seconds = seconds
    }

    /// Whether `left` is before `right`.
    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        left.seconds < right.seconds
    }

    /// Returns the whole minutes from this time to `other`, which is in seconds since 1970. Negative if `other` is earlier.
    func minutes(to other: UInt32) -> Int32 {
        other >= seconds
            ? Int32(truncatingIfNeeded: (other - seconds) / 60) : -Int32(truncatingIfNeeded: (seconds - other) / 60)
    }
}
