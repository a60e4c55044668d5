import WatchLink

extension ShortText {
    /// Adds "Thu 20 Nov".
    mutating func append(date fields: CalendarFields) {
        append(fields.weekdayName.utf8.extracting(first: 3))
        append(" ")
        appendDayAndMonth(fields)
    }

    /// Adds "20 Nov".
    @inline(never)
    mutating func appendDayAndMonth(_ fields: CalendarFields) {
        append(UInt32(truncatingIfNeeded: fields.day))
        append(" ")
        append(fields.monthName)
    }

    /// Adds " AM" or " PM", or nothing.
    mutating func append(half: StaticString?) {
        guard let half else { return }
        append(" ")
        append(half)
    }

    /// Adds "just now", "5 hours ago" or "3 days ago"; days from the second full one on.
    mutating func append(secondsAgo seconds: UInt32) {
        let hours = seconds / 3_600
        guard hours > 0 else {
            append("just now")
            return
        }
        append(hours < 48 ? hours : hours / 24)
        append(hours == 1 ? " hour ago" : hours < 48 ? " hours ago" : " days ago")
    }

    /// Adds "5h" or "3d", at most "999d".
    mutating func append(brieflySecondsAgo seconds: UInt32) {
        let hours = seconds / 3_600
        append(hours < 48 ? hours : min(hours / 24, 999))
        append(hours < 48 ? "h" : "d")
    }

    /// Adds how far time travel went: "+45 min", "-2 h", "+1 h 30", "+1 d 2 h".
    @inline(never)
    mutating func append(travelled minutes: Int32) {
        append(minutes < 0 ? "-" : "+")
        let all = minutes.magnitude
        let days = all / 1_440
        let hours = all / 60 % 24
        if days > 0 {
            append(days)
            append(" d")
        }
        if hours > 0 {
            append(days > 0 ? " " : "")
            append(hours)
            append(" h")
        }
        guard days == 0, all % 60 > 0 || hours == 0 else { return }
        append(hours > 0 ? " " : "")
        append(all % 60, digits: hours > 0 ? 2 : 1)
        append(hours > 0 ? "" : " min")
    }
}
