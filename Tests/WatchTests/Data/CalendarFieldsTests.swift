import Foundation
import Testing

@testable import Watch

struct CalendarFieldsTests {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private func check(_ seconds: UInt32) {
        let fields = CalendarFields(LocalTime(seconds: seconds))
        let expected = CalendarFieldsTests.calendar.dateComponents(
            [.year, .month, .day, .weekday, .hour, .minute], from: Date(timeIntervalSince1970: Double(seconds)))
        #expect(
            fields.year == expected.year && fields.month == expected.month && fields.day == expected.day, "\(seconds)")
        #expect(fields.weekday + 1 == expected.weekday, "\(seconds)")
        #expect(fields.hour == expected.hour && fields.minute == expected.minute, "\(seconds)")
    }

    @Test func `the calendar is Gregorian on every day`() {
        for day in stride(from: UInt32(0), to: .max / 86_400, by: 1) { check(day * 86_400 + day % 86_400) }
    }

    @Test(arguments: [0, 86_399, 68_169_600, 951_782_400, 4_107_542_399, 4_107_542_400, .max] as [UInt32])
    func `the calendar is right at its edges`(seconds: UInt32) {
        check(seconds)
    }

    @Test func `days and months have names`() {
        let fields = CalendarFields(LocalTime(seconds: 1_763_629_260))
        #expect("\(fields.weekdayName) \(fields.day) \(fields.monthName) \(fields.year)" == "Thursday 20 Nov 2025")
        #expect(fields.hour == 9 && fields.minute == 1)
        let months = (0..<12).map { month in
            let time = LocalTime(seconds: UInt32(month) * 2_629_800 + 1_000_000)
            return "\(CalendarFields(time).monthName)"
        }
        #expect(Set(months).count == 12)
    }
}
