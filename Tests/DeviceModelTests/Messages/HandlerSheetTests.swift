import DeviceModel
import Testing
import Watch
import WatchLink

struct HandlerSheetTests {
    @Test func `the wearer opens the sheet by holding the crown and closes it by pressing it`() throws {
        let bench = try WatchBench(items: 8, handler: NotingHandler())
        bench.connect()
        bench.pass(latest: "limit", 5 as UInt32)
        #expect(bench.run { $0.description.sheet?.text == "limit 5" })
        bench.send(.press(.crown))
        #expect(bench.snapshot.description.screen == .list)
        bench.send(.press(.crown))
        bench.send(.hold(.crown))
        #expect(bench.snapshot.description.screen == .sheet)
        #expect(bench.snapshot.description.sheet?.buttons == ["Ask", "Tell", "Later"])
        bench.send(.press(.side))
        #expect(bench.snapshot.description.screen == .face)
    }

    @Test func `a watch without a sheet of its handler's opens none`() throws {
        let bench = try WatchBench(items: 3, handler: ShippingHandler())
        bench.send(.hold(.crown))
        #expect(bench.snapshot.description.screen == .list)
    }
}
