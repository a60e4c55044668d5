import Synchronization
import Testing
import WatchLink

@testable import DeviceModel

@Suite struct VirtualClockTests {
    private final class Diary: Sendable {
        let entries = Mutex<[String]>([])

        func note(_ entry: String) {
            entries.withLock { $0.append(entry) }
        }
    }

    @Test func `It stands at zero until it is moved`() {
        let clock = VirtualClock()
        #expect(clock.now == .start)
        clock.advance(by: .milliseconds(5))
        #expect(clock.now == Instant(microseconds: 5_000))
    }

    @Test func `It never moves back`() {
        let clock = VirtualClock()
        clock.advance(to: Instant(microseconds: 10))
        clock.advance(to: Instant(microseconds: 4))
        #expect(clock.now == Instant(microseconds: 10))
    }

    @Test func `Events happen in the order of their times, and of one time in the order of scheduling`() {
        let clock = VirtualClock()
        let diary = Diary()
        for (time, name) in [(30, "late"), (10, "early"), (20, "first"), (20, "second")] {
            clock.schedule(at: Instant(microseconds: UInt64(time))) {
                diary.note("\(name) at \(clock.now.microseconds)")
            }
        }
        clock.advance(to: Instant(microseconds: 100))
        let entries = diary.entries.withLock { $0 }
        #expect(entries == ["early at 10", "first at 20", "second at 20", "late at 30"])
        #expect(clock.now == Instant(microseconds: 100))
    }

    @Test func `An event can schedule another one that is due on the same way`() {
        let clock = VirtualClock()
        let diary = Diary()
        clock.schedule(at: Instant(microseconds: 10)) {
            clock.schedule(at: clock.now + Microseconds(5)) { diary.note("at \(clock.now.microseconds)") }
        }
        clock.advance(to: Instant(microseconds: 20))
        #expect(diary.entries.withLock { $0 } == ["at 15"])
    }

    @Test func `It jumps to the next event and no further than the limit`() {
        let clock = VirtualClock()
        clock.schedule(at: Instant(microseconds: 50)) {}
        clock.advanceToNextEvent(noLaterThan: Instant(microseconds: 20))
        #expect(clock.now == Instant(microseconds: 20))
        clock.advanceToNextEvent(noLaterThan: Instant(microseconds: 80))
        #expect(clock.now == Instant(microseconds: 50))
        clock.advanceToNextEvent(noLaterThan: Instant(microseconds: 80))
        #expect(clock.now == Instant(microseconds: 80))
        clock.advanceToNextEvent(noLaterThan: nil)
        #expect(clock.now == Instant(microseconds: 80))
    }
}
