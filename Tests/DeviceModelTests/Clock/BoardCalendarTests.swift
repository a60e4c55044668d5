import Glibc
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct BoardCalendarTests {
    @Test func `Nobody has set it at first`() {
        #expect(BoardCalendar.unset.time(at: .start) == nil)
    }

    @Test func `Once set it goes on with the board's clock`() {
        let calendar = BoardCalendar.unset.setting(LocalTime(seconds: 1_000), at: Instant(microseconds: 5_000_000))
        #expect(calendar.time(at: Instant(microseconds: 5_999_999)) == LocalTime(seconds: 1_000))
        #expect(calendar.time(at: Instant(microseconds: 65_000_000)) == LocalTime(seconds: 1_060))
    }

    @Test func `One that follows the machine cannot be set`() throws {
        let calendar = BoardCalendar.machine.setting(LocalTime(seconds: 1_000), at: .start)
        let before = time(nil)
        let shown = try #require(calendar.time(at: .start))
        let after = time(nil)
        var seconds = before
        var fields = tm()
        localtime_r(&seconds, &fields)
        #expect(Int(shown.seconds) >= before + fields.tm_gmtoff)
        #expect(Int(shown.seconds) <= after + fields.tm_gmtoff)
    }
}
