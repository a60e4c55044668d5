import Testing
import WatchLink

@testable import DeviceModel

@Suite struct ClockMotionTests {
    private func speed(_ factor: Double) throws -> ClockSpeed {
        try #require(ClockSpeed(factor))
    }

    @Test func `It goes as the machine does, from where it began`() {
        let motion = ClockMotion(at: 5_000)
        #expect(motion.time(at: 5_000) == .start)
        #expect(motion.time(at: 5_777) == Instant(microseconds: 777))
        #expect(motion.machineLength(until: Instant(microseconds: 1_000), at: 5_400) == Microseconds(600))
        #expect(motion.ahead(at: 9_000) == 0)
    }

    @Test func `A change of speed keeps what has passed`() throws {
        var motion = ClockMotion(at: 0)
        motion.set(try speed(1_000), at: 100)
        #expect(motion.time(at: 200) == Instant(microseconds: 100_100))
        motion.set(try speed(0.1), at: 200)
        #expect(motion.time(at: 1_200) == Instant(microseconds: 100_200))
        #expect(motion.machineLength(until: Instant(microseconds: 100_300), at: 1_200) == Microseconds(1_000))
        #expect(motion.ahead(at: 1_200) == 99_000)
    }

    @Test func `A length on the machine is never too short, and a deadline that is never is none that comes`() throws {
        var motion = ClockMotion(at: 0)
        motion.set(try speed(1_000), at: 0)
        #expect(motion.machineLength(until: Instant(microseconds: 1), at: 0) == Microseconds(1))
        #expect(motion.machineLength(until: Instant(microseconds: 1_001), at: 0) == Microseconds(2))
        motion.set(try speed(0.1), at: 0)
        #expect(motion.machineLength(until: Instant(microseconds: .max), at: 0) == Microseconds(.max))
    }

    @Test func `A pause is not counted`() {
        var motion = ClockMotion(at: 0)
        motion.pause(at: 300)
        #expect(motion.time(at: 9_000) == Instant(microseconds: 300))
        #expect(motion.machineLength(until: Instant(microseconds: 400), at: 9_000) == nil)
        #expect(motion.state.mode == .paused(after: nil))
        motion.resume(at: 10_000)
        #expect(motion.time(at: 10_050) == Instant(microseconds: 350))
        #expect(motion.state.mode == .running)
    }

    @Test func `A single step ends with what happens, and with nothing before it`() {
        var motion = ClockMotion(at: 0)
        motion.happened("too early", at: 10)
        #expect(motion.state.mode == .running)
        motion.pause(at: 100)
        motion.happened("while it stands", at: 150)
        #expect(motion.state.mode == .paused(after: nil))
        motion.step(at: 200)
        #expect(motion.time(at: 230) == Instant(microseconds: 130))
        motion.happened("a touch", at: 250)
        #expect(motion.state.mode == .paused(after: "a touch"))
        #expect(motion.state.words == "paused after a touch")
        #expect(motion.time(at: 9_000) == Instant(microseconds: 150))
    }

    @Test func `While something in real time is waited for it goes no faster, and may go slower`() throws {
        var motion = ClockMotion(at: 0)
        motion.set(try speed(100), at: 0)
        motion.hold(at: 10)
        #expect(motion.time(at: 110) == Instant(microseconds: 1_100))
        motion.release(at: 110)
        #expect(motion.time(at: 111) == Instant(microseconds: 1_200))
        motion.set(try speed(0.5), at: 111)
        motion.hold(at: 111)
        #expect(motion.time(at: 211) == Instant(microseconds: 1_250))
    }

    @Test func `At its end nothing stops it any more`() {
        var motion = ClockMotion(at: 0)
        motion.pause(at: 0)
        motion.end(at: 50)
        motion.pause(at: 60)
        motion.step(at: 60)
        #expect(motion.state.mode == .ended)
        #expect(motion.time(at: 80) == Instant(microseconds: 30))
    }

    @Test(arguments: ["0.1", "0.5", "1", "10", "1000"]) func `A speed is written as it was read`(text: String) throws {
        #expect(try #require(ClockSpeed(text: text)).text == text)
    }

    @Test(arguments: ["0", "0.09", "1000.1", "-1", "nan", "inf", "fast", ""])
    func `What is out of range is no speed`(text: String) {
        #expect(ClockSpeed(text: text) == nil)
    }

    @Test func `Every speed is reached from the slowest, one after the other`() throws {
        var current = try speed(0.1)
        var count = 1
        while current != current.faster {
            #expect(current.faster.slower == current)
            current = current.faster
            count += 1
        }
        #expect(current.factor == 1_000)
        #expect(count == ClockSpeed.ladder.count)
        #expect(try speed(3).faster.text == "5")
        #expect(try speed(3).slower.text == "2")
    }
}
