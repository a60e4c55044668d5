import Dispatch
import Glibc
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct SimulatedWatchTests {
    private func watch(radio: (any RadioPort & Sendable)? = nil) throws -> SimulatedWatch {
        let board = try SimulatedBoard(
            flash: BlankFlash(), radio: radio, clock: .real(HostClock()), calendar: .machine)
        return try SimulatedWatch(running: StandInProgram(board: board))
    }

    @Test func `An input is handled on the watch's own thread`() throws {
        let watch = try watch()
        let number = watch.send(.tap(row: 1))
        let snapshot = watch.settle().snapshot
        #expect(snapshot.handled >= number)
        #expect(snapshot.taps.count == 1)
        #expect(snapshot.description.remaining == 2)
        #expect(snapshot.haptics.count == 1)
        watch.stop()
    }

    @Test func `A wait ends at its deadline`() throws {
        let watch = try watch()
        let deadline = watch.now + .milliseconds(5)
        #expect(watch.wait(until: deadline, for: { _ in false }).stopped == nil)
        #expect(watch.now >= deadline)
        watch.stop()
    }

    @Test func `A wait on one thread ends when another stops the watch`() throws {
        let watch = try watch()
        DispatchQueue.global().async { watch.stop() }
        let end = watch.wait(until: Instant(microseconds: .max), for: { _ in false }).stopped
        #expect(end?.phase == .stopped)
    }

    @Test func `A change makes the descriptor readable until it is drained`() throws {
        let watch = try watch()
        watch.changes.drain()
        watch.send(.press(.crown))
        var watched = pollfd(fd: watch.changes.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, 60_000) == 1)
        _ = watch.settle()
        #expect(watch.snapshot.description.screen == .face)
        watch.stop()
        watch.changes.drain()
        #expect(poll(&watched, 1, 0) == 0)
    }

    @Test func `A datagram and a cut are seen at once`() throws {
        let (radio, phone) = try InMemoryRadio.pair()
        let watch = try watch(radio: radio)
        phone.connect()
        phone.send(Array("Eggs".utf8))
        #expect(watch.wait(for: .seconds(60), until: { $0.description.rows.last?.title == "Eggs" }).met != nil)
        phone.cut()
        #expect(watch.wait(for: .seconds(60), until: { $0.link == .down }).met != nil)
        watch.stop()
    }

    @Test func `A paused watch takes nothing, and a single step takes one thing`() throws {
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), clock: .real(HostClock()), calendar: .machine)
        let watch = try SimulatedWatch(running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: 7))
        let control = try #require(watch.control)
        control.pause()
        let before = watch.now
        watch.send(.press(.crown))
        watch.send(.press(.crown))
        control.step()
        let step = watch.wait(patiently: .seconds(60)) { _ in control.state.isPaused }
        #expect(step.met?.handled == InputNumber(0))
        #expect(control.state.mode == .paused(after: "a press of the crown"))
        #expect(watch.now >= before)
        #expect(watch.now == watch.now)
        control.resume()
        #expect(watch.settle().snapshot.handled == InputNumber(2))
        control.pause()
        watch.stop()
        #expect(watch.snapshot.phase == .stopped)
    }

    @Test func `A watch whose time goes fast reaches a deadline sooner`() throws {
        let board = try SimulatedBoard(flash: BlankFlash(), clock: .real(HostClock()), calendar: .machine)
        let watch = try SimulatedWatch(running: StandInProgram(board: board))
        let speed = try #require(ClockSpeed(1_000))
        watch.control?.set(speed)
        let start = ContinuousClock.now
        _ = watch.wait(for: .seconds(3_000)) { _ in false }
        // 3 s of the machine's: far from the 50 minutes that they are on the watch.
        #expect(watch.now >= .start + .seconds(3_000))
        #expect(ContinuousClock.now - start < .seconds(1_500))
        watch.stop()
    }

    @Test func `Many threads may send at once and nothing is lost`() async throws {
        let watch = try watch()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 { watch.send(.crown(detents: 1)) }
                }
            }
        }
        let snapshot = watch.settle().snapshot
        #expect(snapshot.handled == InputNumber(400))
        #expect(snapshot.description.firstVisibleRow == 400)
        watch.stop()
    }

    @Test func `A watch that no caller holds any more is stopped`() throws {
        let board = try SimulatedBoard(flash: BlankFlash(), clock: .real(HostClock()), calendar: .machine)
        let inputs = board.inputs
        var watch: SimulatedWatch? = try SimulatedWatch(running: StandInProgram(board: board))
        _ = watch?.settle()
        watch = nil
        inputs.post(TimedInput(.press(.crown), at: .start))
        #expect(!inputs.isEmpty)
    }
}
