import HostSystem
import Synchronization
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct RestartMailboxTests {
    private func watch(flash: consuming MemoryFlash = MemoryFlash(FlashGeometry(sectorCount: 16))) throws
        -> SimulatedWatch
    {
        let board = try SimulatedBoard(flash: flash, clock: .real(HostClock()), calendar: .machine)
        return try SimulatedWatch(running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: 1))
    }

    @Test func `the first frame is there when a restart returns`() throws {
        let watch = try watch()
        defer { watch.stop() }
        let before = watch.snapshot.number
        let identity = try watch.restart(.read)
        #expect(watch.snapshot.number > before)
        try watch.restart(.reset)
        #expect(try watch.restart(.read) != identity, "another identity was drawn")
        try watch.restart(.load(identity))
        #expect(watch.snapshot.phase == .running)
    }

    @Test func `many may ask at once, and each gets an answer`() async throws {
        let watch = try watch()
        defer { watch.stop() }
        let answers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (try? await SystemThread.result { (try? watch.restart(.restart))?.bytes.count ?? 0 }) ?? 0
                }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: 65_536, count: 8))
    }

    @Test func `a paused watch is paused again afterwards`() throws {
        let watch = try watch()
        defer { watch.stop() }
        watch.control?.pause()
        try watch.restart(.restart)
        #expect(watch.isPaused)
        watch.control?.resume()
    }

    @Test func `a watch that has ended says so`() throws {
        let watch = try watch()
        watch.stop()
        #expect(throws: RestartError.ended) { try watch.restart(.read) }
    }

    @Test func `a state is loaded with the clock that it had`() throws {
        let watch = try watch()
        defer { watch.stop() }
        var state = try watch.saveState()
        #expect(state.clock.state == .running)
        state.clock = WatchState.Clock(speed: ClockSpeed(2) ?? .real, state: .paused)
        state.calendar = CalendarReading(shows: 1_000_000, keptBy: .machine, zone: 3_600)
        try watch.loadState(state)
        #expect(watch.isPaused)
        #expect(watch.control?.state.speed.factor == 2)
        #expect(watch.calendar?.zoneSeconds == 3_600)
        let shown = watch.calendar?.time(at: watch.now, ahead: watch.control?.ahead ?? 0)?.seconds ?? 0
        // Both clocks count whole seconds. One may be a second behind, and time has passed since the state was loaded.
        #expect((999_999...1_000_060).contains(shown))
        watch.control?.resume()
    }
}
