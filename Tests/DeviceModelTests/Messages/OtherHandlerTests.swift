import DeviceModel
import TestDoubles
import Testing
import Watch

/// A watch that restarts with another handler and the same flash chip. The new handler declares none of the old
/// handler's message names.
struct OtherHandlerTests {
    /// Returns a watch that has sent and received messages of every kind. The phone has received all of the watch's
    /// messages.
    private func used() throws -> WatchBench<NotingHandler> {
        let bench = try WatchBench(items: 8, handler: NotingHandler())
        bench.connect()
        bench.pass(latest: "limit", 5 as UInt32)
        bench.pass(queued: "order", 9 as UInt32)
        bench.run(for: .seconds(1))
        bench.send(.press(.crown))
        bench.tap(0)
        bench.run(for: .seconds(5))
        return bench
    }

    private func plain(after before: WatchBench<NotingHandler>) throws -> WatchBench<ShippingHandler> {
        try WatchBench(
            phone: InMemoryPhone(restoredFrom: before.phone), handler: ShippingHandler(), flash: before.flash.contents)
    }

    @Test func `names that it does not have are no loss where nothing waited under them`() throws {
        let before = try used()
        let rows = before.snapshot.description.rows.map(\.title)
        let after = try plain(after: before)
        #expect(after.snapshot.description.notice == StatusNotice.none)
        #expect(after.snapshot.description.rows.map(\.title) == rows)
        after.connect()
        after.run(for: .seconds(2))
        #expect(after.snapshot.description.isSynchronized)
        #expect(after.snapshot.description.notice == StatusNotice.none)
    }

    @Test func `a message that waited for the phone is told as lost once, and the list is kept`() throws {
        let before = try used()
        before.disconnect()
        before.run(for: .seconds(1))
        before.tap(0)
        before.run(for: .seconds(1))
        let rows = before.snapshot.description.rows.map(\.title)
        let after = try plain(after: before)
        #expect(after.snapshot.description.notice == .recordsLost)
        #expect(after.snapshot.description.rows.map(\.title) == rows)
        after.connect()
        #expect(after.run { $0.description.isSynchronized })
        // The wearer reads the notice on the status sheet. A later start does not show it again.
        after.send(.tap(x: 72, y: 10))
        after.run(for: .seconds(2))
        after.send(.press(.crown))
        after.run(for: .seconds(1))
        #expect(after.snapshot.description.notice == StatusNotice.none)
        try after.restart()
        #expect(after.snapshot.description.notice == StatusNotice.none)
    }
}
