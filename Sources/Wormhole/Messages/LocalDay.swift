import Glibc

/// The day on the calendar of the machine's zone.
enum LocalDay {
    /// Counted from 1970-01-01; 0 before that.
    static var today: UInt32 {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        return UInt32(clamping: (now + parts.tm_gmtoff) / 86_400)
    }
}
