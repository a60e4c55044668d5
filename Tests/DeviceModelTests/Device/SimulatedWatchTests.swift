import DeviceModel
import Dispatch
import Glibc
import Testing
import Watch
import WatchLink

@Suite struct SimulatedWatchTests {
    private func watch(radio: (any RadioPort & Sendable)? = nil) throws -> SimulatedWatch {
        let board = try SimulatedBoard(
            flash: BlankFlash(), radio: radio, clock: .real(MachineClock()), calendar: .machine)
        return try SimulatedWatch(running: StandInProgram(board: board))
    }

    @Test func `The first frame is there from the start`() throws {
        let watch = try watch()
        #expect(watch.snapshot.number >= 1)
        #expect(watch.snapshot.description.rows.count == 3)
        watch.stop()
    }

    @Test func `An input is handled on the watch's own thread`() throws {
        let watch = try watch()
        let number = watch.send(touch(row: 1))
        let snapshot = watch.settle().snapshot
        #expect(snapshot.handled >= number)
        #expect(snapshot.taps.count == 1)
        #expect(snapshot.description.remaining == 2)
        #expect(snapshot.haptics.count == 1)
        watch.stop()
    }

    @Test func `A wait ends when the condition holds`() throws {
        let watch = try watch()
        watch.send(touch(row: 0))
        guard case .met(let snapshot) = watch.wait(for: .seconds(60), until: { $0.description.rows.count == 2 }) else {
            Issue.record("the row did not go")
            return
        }
        #expect(snapshot.description.rows.map(\.title) == ["Bread", "Apples"])
        watch.stop()
    }

    @Test func `A wait ends at its deadline`() throws {
        let watch = try watch()
        let deadline = watch.now + .milliseconds(5)
        guard case .timedOut = watch.wait(until: deadline, for: { _ in false }) else {
            Issue.record("nothing should have ended the wait but its deadline")
            return
        }
        #expect(watch.now >= deadline)
        watch.stop()
    }

    @Test func `A wait on one thread ends when another stops the watch`() throws {
        let watch = try watch()
        DispatchQueue.global().async { watch.stop() }
        guard case .stopped(let snapshot) = watch.wait(until: Instant(microseconds: .max), for: { _ in false }) else {
            Issue.record("the wait should end with the watch")
            return
        }
        #expect(snapshot.phase == .stopped)
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
        guard case .met = watch.wait(for: .seconds(60), until: { $0.description.rows.last?.title == "Eggs" }) else {
            Issue.record("the datagram was not seen")
            return
        }
        phone.cut()
        guard case .met = watch.wait(for: .seconds(60), until: { $0.link == .down }) else {
            Issue.record("the cut was not seen")
            return
        }
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

    @Test func `A watch that nobody holds any more is stopped`() throws {
        let board = try SimulatedBoard(flash: BlankFlash(), clock: .real(MachineClock()), calendar: .machine)
        let inputs = board.inputs
        var watch: SimulatedWatch? = try SimulatedWatch(running: StandInProgram(board: board))
        _ = watch?.settle()
        watch = nil
        inputs.post(TimedInput(.press(.crown), at: .start))
        #expect(!inputs.isEmpty)
    }
}
