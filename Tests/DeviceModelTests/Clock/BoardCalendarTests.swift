import Glibc
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct BoardCalendarTests {
    @Test func `It is not set at first`() {
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

    @Test func `One that was moved goes on from there, and does not leave its range`() throws {
        let set = BoardCalendar.set(LocalTime(seconds: 1_000), at: .start)
        #expect(set.moved(by: 60).time(at: .start + .seconds(1)) == LocalTime(seconds: 1_061))
        #expect(set.moved(by: -2_000).time(at: .start) == LocalTime(seconds: 0))
        #expect(set.moved(by: 1 << 40).time(at: .start) == LocalTime(seconds: .max))
        #expect(BoardCalendar.unset.moved(by: 60).time(at: .start) == nil)
        let machine = try #require(BoardCalendar.machine.time(at: .start))
        let moved = try #require(BoardCalendar.machine.moved(by: 3_600).moved(by: 3_600).time(at: .start))
        #expect((7_200...7_205).contains(moved.seconds - machine.seconds))
    }
}

@Suite struct CalendarControlTests {
    @Test func `A watch whose clock is moved shows the new time`() throws {
        let bench = try WatchBench.connected(items: 3, for: .seconds(5))
        bench.watch.send(.press(.crown))
        bench.run(for: .seconds(1))
        #expect(bench.screen.screen == .face)
        let before = bench.snapshot.frame
        #expect(bench.screen.time == "10:08")
        try #require(bench.watch.calendar).move(by: 3_600 * 8)
        bench.run(for: .seconds(1))
        #expect(bench.screen.time == "18:08")
        #expect(bench.snapshot.frame != before)
    }

    @Test func `A watch that sleeps until the next minute wakes for it`() throws {
        let board = try SimulatedBoard(
            flash: MemoryFlash.usual, clock: .real(HostClock()),
            calendar: .set(LocalTime(seconds: 1_795_169_280), at: .start))
        let watch = try SimulatedWatch(running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: 1))
        watch.send(.press(.crown))
        _ = watch.wait(for: .seconds(20)) { $0.description.screen == .face }
        #expect(watch.snapshot.description.time == "10:08")
        try #require(watch.calendar).move(by: 3_600)
        // The minute is not over yet: without the change there would be nothing to wake for.
        let outcome = watch.wait(for: .seconds(20)) { $0.description.time == "11:08" }
        #expect(outcome.snapshot.description.time == "11:08")
        watch.stop()
    }
}
