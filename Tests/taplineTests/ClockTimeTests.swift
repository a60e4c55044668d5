import CommandSupport
import Foundation
import Testing

@testable import tapline

@Suite struct ClockTimeTests {
    private let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    /// 2026-11-26 06:30 GMT, which is 07:30 in Berlin.
    private let now = Date(timeIntervalSince1970: 1_795_674_600)

    private func seconds(_ text: String) -> TimeInterval? {
        ClockTime.date(text, after: now, in: zone.secondsFromGMT(for:))?.timeIntervalSince(now)
    }

    @Test func `a time of the clock is the next one`() {
        #expect(seconds("08:00") == 1_800)
        #expect(seconds("8:00") == 1_800)
        #expect(seconds("07:30") == 86_400)
        #expect(seconds("00:00") == 16.5 * 3_600)
    }

    @Test func `a day and a time are those of the wearer's zone`() {
        #expect(seconds("2026-11-26 08:00") == 1_800)
        #expect(seconds("2026-11-26T08:00") == 1_800)
        #expect(seconds("2026-11-26 07:00") == -1_800)
        #expect(seconds("2026-11-26T08:00:00Z") == 5_400)
        #expect(seconds("2026-11-26T08:00:00+01:00") == 1_800)
    }

    @Test func `an hour that a day does not have is one nearby`() {
        // The clock goes from 02:00 to 03:00.
        #expect(ClockTime.date("2027-03-28 02:30", after: now, in: zone.secondsFromGMT(for:)) != nil)
        let before = Date(timeIntervalSince1970: 1_806_188_400)
        #expect(ClockTime.date("02:30", after: before, in: zone.secondsFromGMT(for:)) != nil)
    }

    @Test func `an error is one line, whatever was typed`() {
        let error = #expect(throws: CommandFailure.self) {
            try ClockTime.date("a\nb\u{1B}[31m", of: "--at", after: now)
        }
        #expect(error?.description.contains { $0.isNewline || $0 == "\u{1B}" } == false)
    }

    @Test(arguments: [
        "", "24:00", "12:60", "1:5", "noon", "12", "12:00:00", "-1:00", "2026-02-30 10:00", "2026-13-01 10:00",
        "2026-11-26", "2026-11-26 25:00", "26-11-26 10:00", "2026-11-26 10:00 x", "１２:００", "9999999999999-01-01 10:00",
    ])
    func `anything else is no time`(text: String) {
        #expect(ClockTime.date(text, after: now) == nil)
        #expect(throws: CommandFailure.self) { try ClockTime.date(text, of: "--at", after: now) }
    }
}
