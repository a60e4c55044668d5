import Dispatch
import Foundation
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct SimulatedBoardTests {
    private func board(
        radio: (any RadioPort)? = nil, profile: DeviceProfile = .memoryLCD
    ) throws -> (SimulatedBoard<BlankFlash>, VirtualClock) {
        let clock = VirtualClock()
        let board = try SimulatedBoard(
            flash: BlankFlash(), radio: radio, clock: .virtual(clock), calendar: .unset, profile: profile)
        return (board, clock)
    }

    private let line = [UInt8](repeating: 0xFF, count: PanelGeometry.bytesPerLine)

    @Test func `A panel line is in the frame and is charged what its bits take`() throws {
        let (board, clock) = try board(profile: .panelAlone)
        board.writeLine(3, pixels: line.span)
        board.writeLine(4, pixels: line.span)
        board.finishLines()
        #expect(board.output.frame.isLit(x: 143, y: 4))
        #expect(board.output.linesWritten == 2)
        #expect(clock.now == Instant(microseconds: 160))
    }

    @Test func `Inputs come in the order in which they were made, with their times`() throws {
        let (board, clock) = try board()
        board.post(.press(.crown))
        clock.advance(by: .milliseconds(3))
        board.post(.crown(detents: -2))
        #expect(board.nextInput() == TimedInput(.press(.crown), at: .start))
        #expect(board.nextInput() == TimedInput(.crown(detents: -2), at: Instant(microseconds: 3_000)))
        #expect(board.nextInput() == nil)
    }

    @Test func `The radio learns of every input that is taken, and of nothing else`() throws {
        let radio = AttentiveRadio()
        let (board, clock) = try board(radio: radio)
        #expect(board.nextInput() == nil)
        board.post(.press(.crown))
        #expect(radio.acted.isEmpty)
        clock.advance(by: .milliseconds(3))
        _ = board.nextInput()
        _ = board.nextInput()
        #expect(radio.acted == [Instant(microseconds: 3_000)])
    }

    @Test func `Haptic patterns and reports are recorded`() throws {
        let (board, _) = try board()
        board.play(.success)
        board.trace(.mark(.touch, tap: TapNumber(1), at: .start))
        board.trace(.screenChanged(at: .start))
        board.trace(.journalFailed(.flash(.verifyFailed), at: .start))
        // The pulse takes no time to begin, because a pin switches the motor.
        #expect(board.output.haptics.pulses == [HapticPulse(.success, at: .start)])
        #expect(board.output.taps.histories.count == 1)
        #expect(board.output.screenChanges == 1)
        #expect(board.output.journalFailure == .flash(.verifyFailed))
        #expect(board.output.revision == 4)
    }

    @Test func `Idling jumps to the deadline, or to the next event before it`() throws {
        let (board, clock) = try board()
        let inputs = board.inputs
        clock.schedule(at: Instant(microseconds: 700)) {
            inputs.post(TimedInput(.press(.side), at: Instant(microseconds: 700)))
        }
        board.idle(until: Instant(microseconds: 500))
        #expect(board.now == Instant(microseconds: 500))
        board.idle(until: Instant(microseconds: 900))
        #expect(board.now == Instant(microseconds: 700))
        #expect(board.nextInput() == TimedInput(.press(.side), at: Instant(microseconds: 700)))
    }

    @Test func `Idling returns at once while an input or a datagram waits`() throws {
        let (watch, phone) = try InMemoryRadio.pair()
        watch.connect()
        let (board, _) = try board(radio: watch)
        _ = board.radioState
        phone.send([1])
        board.idle(until: Instant(microseconds: 500))
        #expect(board.now == .start)
        var buffer: [UInt8] = [0]
        var span = buffer.mutableSpan
        #expect(board.receiveDatagram(into: &span) == 1)
        let received = board.now
        board.post(.press(.side))
        board.idle(until: received + Microseconds(500))
        #expect(board.now == received)
    }

    @Test func `Idling returns when the radio's state changes`() throws {
        let (watch, phone) = try InMemoryRadio.pair()
        let (board, clock) = try board(radio: watch)
        clock.schedule(at: Instant(microseconds: 100)) { phone.connect() }
        #expect(board.radioState == .down)
        board.idle(until: Instant(microseconds: 500))
        #expect(board.now == Instant(microseconds: 100))
        #expect(board.radioState == .up(connection: 1, maximumSDU: 512))
    }

    @Test func `Idling with nothing to wait for leaves the time as it is`() throws {
        let (board, _) = try board()
        board.idle(until: nil)
        #expect(board.now == .start)
    }

    @Test func `An erase takes 45 ms, and reading and programming suspend it within 20 us`() throws {
        let (board, _) = try board()
        try board.beginErase(sector: 0)
        #expect(board.flashActivity == .erasing)
        board.idle(until: nil)
        #expect(board.now == Instant(microseconds: 45_000))
        #expect(board.flashActivity == .ready)
        try board.beginErase(sector: 1)
        // An erase runs for 20 us before it can be suspended, and the suspension takes 20 us. Sending and programming take 95
        // us. After that, the erase runs for 20 us again, and is suspended again for a read of 5 us.
        try board.programFlash(at: 0, line.span)
        #expect(board.now == Instant(microseconds: 45_135))
        var bytes: [UInt8] = [0]
        var span = bytes.mutableSpan
        try board.readFlash(at: 0, into: &span)
        #expect(board.now == Instant(microseconds: 45_180))
        #expect(board.flashActivity == .erasing)
        board.idle(until: nil)
        #expect(board.now == Instant(microseconds: 90_140))
        #expect(board.flashActivity == .ready)
    }

    @Test func `Another erase, and an operation on the sector being erased, wait for the end`() throws {
        let (board, _) = try board()
        try board.beginErase(sector: 0)
        try board.beginErase(sector: 1)
        #expect(board.now == Instant(microseconds: 45_000))
        try board.programFlash(at: 4_096, line.span)
        #expect(board.now == Instant(microseconds: 90_095))
        try board.beginErase(sector: 2)
        board.finishErase()
        #expect(board.now == Instant(microseconds: 135_095))
    }

    @Test func `Without a radio there is no phone`() throws {
        let (board, _) = try board()
        #expect(board.radioState == .down)
        #expect(board.sendDatagram(line.span) == .refused)
    }

    @Test func `A datagram without room ends one wait, and no further one until it is asked for`() throws {
        let clock = VirtualClock()
        let board = try SimulatedBoard(
            flash: BlankFlash(), radio: FullRadio(), clock: .virtual(clock), calendar: .unset)
        let deadline = board.now + .seconds(1)
        board.idle(until: deadline)
        #expect(board.now == .start, "a datagram has come")
        board.idle(until: deadline)
        #expect(board.now == deadline)
        var buffer = InlineArray<4, UInt8>(repeating: 0)
        var bytes = buffer.mutableSpan
        #expect(board.receiveDatagram(into: &bytes) == 1)
        board.idle(until: deadline + .seconds(1))
        #expect(board.now == deadline, "another one has come")
    }

    @Test func `The wall clock can be set and goes on`() throws {
        let (board, clock) = try board()
        #expect(board.calendar == nil)
        board.setCalendar(LocalTime(seconds: 100))
        clock.advance(by: .seconds(20))
        #expect(board.calendar == LocalTime(seconds: 120))
    }

    @Test func `On the real clock an input from another thread ends a wait without a deadline`() throws {
        let board = try SimulatedBoard(flash: BlankFlash(), clock: .real(HostClock()), calendar: .machine)
        let inputs = board.inputs
        let clock = board.clock
        DispatchQueue.global().async { inputs.post(TimedInput(.press(.crown), at: clock.now)) }
        while board.inputs.isEmpty { board.idle(until: nil) }
        #expect(board.nextInput()?.input == .press(.crown))
    }

    @Test func `On the real clock a wait lasts until its deadline`() throws {
        let board = try SimulatedBoard(flash: BlankFlash(), clock: .real(HostClock()), calendar: .machine)
        let deadline = board.now + .milliseconds(5)
        board.idle(until: deadline)
        #expect(board.now >= deadline)
    }
}

/// A radio whose descriptor stays readable, because `receive` leaves the datagram there.
private final class FullRadio: RadioPort {
    private let pipe = Pipe()

    init() { pipe.fileHandleForWriting.write(Data([1])) }

    var state: RadioState { .up(connection: 1, maximumSDU: 512) }
    var interest: RadioInterest { RadioInterest(.readable(pipe.fileHandleForReading.fileDescriptor)) }
    func send(_ datagram: Span<UInt8>) -> RadioOutcome { .busy }
    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? { 1 }
    func disconnect() {}
    func service(at now: Instant) {}
    func wearerActed(at now: Instant) {}
}

private final class AttentiveRadio: RadioPort {
    private(set) var acted: [Instant] = []

    var state: RadioState { .down }
    var interest: RadioInterest { RadioInterest(.nothing) }
    func send(_ datagram: Span<UInt8>) -> RadioOutcome { .refused }
    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? { nil }
    func disconnect() {}
    func service(at now: Instant) {}
    func wearerActed(at now: Instant) { acted.append(now) }
}

/// A resting touch controller reports a finger late. The tap still counts only for the row that was under the finger
/// when the finger came down.
@Suite struct RestingTouchTests {
    private var profile: DeviceProfile {
        var profile = DeviceProfile.instant
        profile.touch = TouchCost(
            scanInterval: .milliseconds(10),
            rest: TouchCost.Rest(after: .seconds(2), scanInterval: .milliseconds(40)))
        return profile
    }

    /// Waits 5 s and `finger` microseconds, so that the touch controller rests, and then taps the second row. The phone
    /// removes the first row `removal` microseconds after the tap. Returns the IDs of the items that are checked off.
    private func checkOffs(finger: UInt64, removal: UInt64) throws -> [UInt32] {
        let bench = try WatchBench(phone: InMemoryPhone(items: 6), handler: ShippingHandler(), profile: profile)
        bench.connect()
        bench.run(for: .seconds(5) + Microseconds(finger))
        bench.watch.send(.tap(row: 1))
        bench.run(for: Microseconds(removal))
        bench.onPhone { $0.remove(1) }
        bench.run(for: .seconds(1))
        return bench.phone.checkOffs.map(\.id)
    }

    @Test(arguments: Array(stride(from: UInt64(500), to: 40_000, by: 4_000)))
    func `a row that comes under it while it waits is not checked off`(finger: UInt64) throws {
        for removal in stride(from: UInt64(100), to: 39_000, by: 1_300) {
            let found = try checkOffs(finger: finger, removal: removal)
            #expect(found == [2] || found == [], "finger \(finger) µs, removal \(removal) µs later")
        }
    }

    @Test func `a tap after a rest on a panel that stands still counts`() throws {
        #expect(try checkOffs(finger: 700, removal: 100_000) == [2])
    }
}

@Suite struct InputQueueTests {
    @Test func `Inputs are numbered and come out in order`() throws {
        let queue = try InputQueue()
        #expect(queue.isEmpty)
        let inputs = (1...40 as ClosedRange<Int8>).map { TimedInput(.crown(detents: $0), at: .start) }
        for (index, input) in inputs.enumerated() {
            #expect(queue.post(input) == InputNumber(UInt64(index) + 1))
        }
        #expect(queue.posted == InputNumber(40))
        #expect(queue.taken == InputNumber(0))
        for (index, input) in inputs.enumerated() {
            #expect(queue.next() == input)
            #expect(queue.taken == InputNumber(UInt64(index) + 1))
        }
        #expect(queue.next() == nil)
        #expect(queue.isEmpty)
    }
}
