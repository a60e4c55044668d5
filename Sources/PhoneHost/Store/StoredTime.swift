import Foundation

extension Date {
    /// The time as the database keeps it: whole milliseconds since 1970, UTC.
    var storedMilliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }

    /// The time that the database keeps as this many milliseconds since 1970, UTC.
    init(storedMilliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(storedMilliseconds) / 1_000)
    }
}
