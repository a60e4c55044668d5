import Glibc
import Watch

extension ScriptParser {
    private static let timeForm = "time HH:MM[:SS] or time YYYY-MM-DD HH:MM[:SS], from 1970 to 2105"
    private static let zoneForm = "zone +HH:MM or zone -HH:MM, east and west of UTC, at most 14 hours"

    static func time(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptTime {
        let first = try words.one(timeForm) { $0 }
        guard words.rest.isEmpty else {
            let seconds = try words.only(timeForm) { timeOfDay($0) }
            guard let day = day(first) else { throw .malformed(fault: "\"\(first)\" does not fit", allowed: timeForm) }
            return .at(LocalTime(seconds: day + seconds))
        }
        guard let seconds = timeOfDay(first) else {
            throw .malformed(fault: "\"\(first)\" does not fit", allowed: timeForm)
        }
        return .ofDay(seconds: seconds)
    }

    static func zone(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptTime {
        .zone(
            seconds: try words.only(zoneForm) { word in
                guard let sign = word.first, "+-".contains(sign),
                    let seconds = timeOfDay(String(word.dropFirst())), seconds <= 14 * 3_600
                else { return nil }
                return sign == "-" ? -Int64(seconds) : Int64(seconds)
            })
    }

    /// HH:MM or HH:MM:SS, in seconds since midnight.
    private static func timeOfDay(_ word: String) -> UInt32? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { digits($0, count: 2) }
        guard (2...3).contains(parts.count), let hour = parts[0], hour < 24, let minute = parts[1], minute < 60 else {
            return nil
        }
        guard parts.count == 3 else { return hour * 3_600 + minute * 60 }
        guard let second = parts[2], second < 60 else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// YYYY-MM-DD, in seconds since 1970.
    private static func day(_ word: String) -> UInt32? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = digits(parts[0], count: 4), (1970...2105).contains(year),
            let month = digits(parts[1], count: 2), let day = digits(parts[2], count: 2)
        else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (CInt(year) - 1900, CInt(month) - 1, CInt(day))
        let seconds = timegm(&fields)
        // A day that there is not becomes one of the next month.
        guard fields.tm_mon == CInt(month) - 1, fields.tm_mday == CInt(day) else { return nil }
        return UInt32(exactly: seconds)
    }

    private static func digits(_ text: Substring, count: Int) -> UInt32? {
        guard text.count == count, text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return UInt32(text)
    }
}
