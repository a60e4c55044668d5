import Foundation

/// The value types DATE-TIME and DATE (RFC 5545 sections 3.3.4 and 3.3.5), without time zones.
enum CalendarTime {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// The time of `20261126T115700Z`; of one without Z, as if it were UTC; of a date, its beginning. Nil for anything else.
    static func reading(_ value: String) -> Date? {
        let bytes = Array(value.utf8)
        let isDate = bytes.count == 8
        guard isDate || (bytes.count >= 15 && bytes[8] == UInt8(ascii: "T")), bytes.count <= 16 else { return nil }
        if bytes.count == 16, bytes[15] != UInt8(ascii: "Z") { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            (1...12).contains(month), (1...31).contains(day), year > 0
        else { return nil }
        var components = DateComponents(year: year, month: month, day: day)
        if !isDate {
            guard let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
                hour < 24, minute < 60, second <= 60
            else { return nil }
            (components.hour, components.minute, components.second) = (hour, minute, second)
        }
        return calendar.date(from: components)
    }

    /// A time in UTC, without its fraction of a second.
    static func writing(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func digits(_ value: Int?, _ count: Int = 2) -> String {
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(parts.year, 4))\(digits(parts.month))\(digits(parts.day))T"
            + "\(digits(parts.hour))\(digits(parts.minute))\(digits(parts.second))Z"
    }
}
