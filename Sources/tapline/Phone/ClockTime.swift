import Foundation
import HostSystem

/// A time as somebody types it: `18:30`, `2026-11-28 18:30`, or `2026-11-28T18:30:00Z`.
enum ClockTime: Equatable {
    /// The next time that the clock shows this.
    case next(hour: Int, minute: Int)
    /// A time of the wearer's calendar.
    case local(DateComponents)
    /// A time with its zone.
    case absolute(Date)

    /// Nil for anything else, and for a day or an hour that no calendar has.
    init?(_ text: String) {
        let clock = text.split(separator: ":", omittingEmptySubsequences: false)
        if clock.count == 2, let hour = ClockTime.number(clock[0], 1...2, in: 0...23),
            let minute = ClockTime.number(clock[1], 2...2, in: 0...59)
        {
            self = .next(hour: hour, minute: minute)
        } else if let local = ClockTime.localTime(text) {
            self = .local(local)
        } else if let date = try? Date(text, strategy: .iso8601) {
            self = .absolute(date)
        } else {
            return nil
        }
    }

    /// `2026-11-28 18:30`, with a space or a T.
    private static func localTime(_ text: String) -> DateComponents? {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "T" })
        guard parts.count == 2, case .next(let hour, let minute) = ClockTime(String(parts[1])) else { return nil }
        let day = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard day.count == 3, let year = number(day[0], 4...4, in: 1970...9999),
            let month = number(day[1], 2...2, in: 1...12), let number = number(day[2], 2...2, in: 1...31)
        else { return nil }
        let components = DateComponents(year: year, month: month, day: number, hour: hour, minute: minute)
        // As with 30 February.
        guard components.isValidDate(in: Calendar(identifier: .gregorian)) else { return nil }
        return components
    }

    private static func number(_ text: Substring, _ digits: ClosedRange<Int>, in range: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }

    /// The time itself; of a clock's time the next one after `reference`.
    func date(after reference: Date, in zone: TimeZone = .current) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        switch self {
        case .next(let hour, let minute):
            return calendar.nextDate(
                after: reference, matching: DateComponents(hour: hour, minute: minute, second: 0),
                matchingPolicy: .nextTime)
        case .local(let components): return calendar.date(from: components)
        case .absolute(let date): return date
        }
    }
}

/// Why the time of a note is none.
enum NoteTimeError: Error, Equatable, CustomStringConvertible {
    /// The text of an option is no time.
    case unreadable(option: String, text: String)
    /// The note would be shown for no time at all.
    case noLength

    /// One line that says what to give.
    var description: String {
        switch self {
        case .unreadable(let option, let text):
            "\(option) takes a time such as 18:30 or \"2026-11-28 18:30\", not \"\(PlainLine(text).text)\""
        case .noLength: "--for takes a time above 0, such as 2h"
        }
    }
}

extension ClockTime {
    /// The time in the text of an option.
    ///
    /// - Parameter reference: what a time of the clock follows.
    static func date(_ text: String, of option: String, after reference: Date) throws(NoteTimeError) -> Date {
        guard let date = ClockTime(text)?.date(after: reference) else {
            throw .unreadable(option: option, text: text)
        }
        return date
    }
}
