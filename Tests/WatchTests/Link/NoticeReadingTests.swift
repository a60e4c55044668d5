import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

struct NoticeReadingTests {
    private typealias Bench = WatchBench<ShippingHandler>

    /// Returns a watch that is not connected and shows its status sheet. Its phone was restored from a backup without
    /// the last check-off, and tells the watch so when they connect.
    private func bench() throws -> Bench {
        let before = try Bench.connected(items: 2, for: .seconds(2))
        let copy = InMemoryPhone(restoredFrom: before.phone)
        before.tapAndWait(0)
        #expect(before.checkOffs == [1] && copy.checkOffs.isEmpty)
        before.watch.stop()
        let bench = try WatchBench(phone: copy, handler: ShippingHandler(), flash: before.flash.contents)
        try bench.restart()
        open(bench)
        #expect(bench.screen.notice == .none)
        return bench
    }

    private func open(_ bench: Bench) {
        bench.tap(x: 60, y: 4)
        bench.run(for: .seconds(2))
        #expect(bench.screen.screen == .status)
    }

    private func tell(_ bench: Bench) {
        bench.connect()
        for _ in 0..<500 where bench.screen.notice == .none { bench.run(for: .milliseconds(10)) }
        #expect(bench.screen.screen == .status && bench.screen.notice == .phoneRestored)
    }

    private func close(_ bench: Bench) {
        bench.send(.press(.crown))
        bench.run(for: .seconds(1))
        #expect(bench.screen.screen == .list)
    }

    @Test(arguments: [0, 100, 900] as [UInt32])
    func `a notice that comes up on an open sheet is not read within a second`(milliseconds: UInt32) throws {
        let bench = try bench()
        tell(bench)
        bench.run(for: .milliseconds(milliseconds))
        close(bench)
        #expect(bench.screen.notice == .phoneRestored)
        try bench.restart()
        #expect(bench.screen.notice == .phoneRestored)
    }

    @Test func `a notice that was on the panel for longer than a second is read`() throws {
        let bench = try bench()
        tell(bench)
        bench.run(for: .milliseconds(1_100))
        close(bench)
        #expect(bench.screen.notice == .none)
        try bench.restart()
        #expect(bench.screen.notice == .none)
    }

    @Test func `short looks at the sheet do not add up`() throws {
        let bench = try bench()
        tell(bench)
        close(bench)
        for _ in 0..<3 {
            bench.tap(x: 60, y: 4)
            bench.run(for: .milliseconds(600))
            #expect(bench.screen.screen == .status)
            close(bench)
            #expect(bench.screen.notice == .phoneRestored)
        }
        open(bench)
        close(bench)
        #expect(bench.screen.notice == .none)
    }
}
