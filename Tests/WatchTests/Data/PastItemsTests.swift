import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

struct PastItemsTests {
    private func bench(items: Int = 2, offers: Int) throws -> WatchBench<ShippingHandler> {
        let phone = InMemoryPhone(items: items)
        phone.offer((0..<offers).map { PhoneItem(id: 900 + UInt32($0), title: "Past \($0 + 1)") })
        let bench = try WatchBench(phone: phone, handler: ShippingHandler())
        bench.connect()
        bench.run(for: .seconds(1))
        return bench
    }

    private func openItems(_ bench: WatchBench<ShippingHandler>) -> [String] { bench.phone.waiting.map(\.title) }

    @Test
    func `one swipe from the list shows them in three panels; a swipe back, a button or the bar leaves them`() throws {
        let bench = try bench(offers: 18)
        for leave in [[Input].swipe(-1), [.press(.crown)], [.press(.side)], [Input].tap(x: 40, y: 5)] {
            bench.send(.swipe(1))
            #expect(bench.screen.screen == .past)
            #expect(bench.titles == (1...18).map { "Past \($0)" })
            #expect(bench.screen.lines.contains("1 [+] Past 1") && bench.screen.lines.contains("6 [+] Past 6"))
            bench.send(.crown(detents: 100))
            #expect(bench.screen.firstVisibleRow == 12)
            bench.send(.crown(detents: -6))
            #expect(bench.screen.firstVisibleRow == 6)
            bench.send(leave)
            #expect(bench.screen.screen == .list)
        }
    }

    @Test func `they are one swipe from "All done" too, and the item that comes back is on the list`() throws {
        let bench = try bench(items: 1, offers: 3)
        bench.tap(0)
        bench.run(for: .seconds(1))
        #expect(bench.screen.placeholder == .allDone)
        bench.send(.swipe(1))
        bench.tap(1)
        #expect(bench.titles == ["Past 1", "Past 3", "Item 1"], "the sheet goes on without it")
        bench.send(.swipe(-1))
        #expect(bench.titles == ["Past 2"])
        bench.run(for: .seconds(2))
        #expect(openItems(bench) == ["Past 2"])
        #expect(bench.screen.isSynchronized)
    }

    @Test func `a touch changes the panel, then the addition is kept, then it is felt`() throws {
        let bench = try bench(offers: 3)
        bench.send(.swipe(1))
        bench.run(for: .seconds(1))
        let pulses = bench.snapshot.haptics.count
        let before = bench.snapshot.frame
        bench.tap(0)
        #expect(bench.snapshot.frame != before)
        #expect(bench.snapshot.haptics.count == pulses + 1)
        // The watch restarts right after the haptic. The addition must be stored already.
        try bench.restart()
        #expect(bench.titles == ["Item 1", "Item 2", "Past 1"])
        bench.send(.swipe(1))
        #expect(bench.titles == ["Past 2", "Past 3"])
    }

    @Test func `without the phone it works the same, and the phone has each once`() throws {
        let bench = try bench(offers: 4)
        bench.disconnect()
        bench.send(.swipe(1))
        bench.tap(3)
        bench.tap(0)
        bench.send(.swipe(-1))
        #expect(bench.titles == ["Item 1", "Item 2", "Past 1", "Past 4"])
        #expect(bench.screen.waitingMessages == 2)
        bench.tap(2)
        bench.run(for: .seconds(1))
        try bench.restart()
        #expect(bench.titles == ["Item 1", "Item 2", "Past 4"])
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(openItems(bench) == ["Item 1", "Item 2", "Past 4"])
        #expect(bench.titles == ["Item 1", "Item 2", "Past 4"])
        #expect(bench.checkOffs == [900])
        bench.send(.swipe(1))
        #expect(bench.titles == ["Past 2", "Past 3"])
    }

    @Test func `two watches that add the same item add one`() throws {
        let bench = try bench(offers: 2)
        let other = try WatchBench(phone: bench.phone, handler: ShippingHandler(), seed: 2)
        bench.disconnect()
        other.connect()
        other.run(for: .seconds(1))
        other.disconnect()
        for watch in [bench, other] {
            watch.send(.swipe(1))
            watch.tap(0)
            watch.send(.swipe(-1))
        }
        bench.connect()
        bench.run(for: .seconds(1))
        bench.disconnect()
        other.connect()
        other.run(for: .seconds(1))
        #expect(openItems(bench) == ["Item 1", "Item 2", "Past 1"])
        #expect(other.titles == ["Item 1", "Item 2", "Past 1"])
    }

    @Test func `a touch that bounces adds one item and checks off none`() throws {
        let bench = try bench(offers: 3)
        bench.send(.swipe(1))
        bench.send([Input].tap(row: 0) + [Input].tap(row: 0))
        bench.run(for: .seconds(2))
        #expect(openItems(bench) == ["Item 1", "Item 2", "Past 1"])
        #expect(bench.checkOffs.isEmpty)
        #expect(bench.titles == ["Past 2", "Past 3"])
    }

    @Test func `an item that comes to the list some other way leaves the past ones`() throws {
        let bench = try bench(offers: 2)
        bench.onPhone { $0.add(PhoneItem(id: 900, title: "Past 1")) }
        bench.run(for: .seconds(1))
        bench.send(.swipe(1))
        #expect(bench.titles == ["Past 2"])
        bench.onPhone { $0.offer([]) }
        bench.run(for: .seconds(1))
        #expect(bench.titles.isEmpty)
        #expect(bench.screen.lines.contains("no past items"))
        bench.tap(0)
        bench.send(.swipe(-1))
        #expect(bench.titles == ["Item 1", "Item 2", "Past 1"])
    }

    @Test(arguments: [110, 111, 120, 128])
    func `a list that needs the room takes it from the least likely`(_ items: Int) throws {
        let bench = try bench(items: items, offers: 18)
        bench.send(.swipe(1))
        #expect(bench.titles == (1...min(18, 129 - items)).map { "Past \($0)" })
        let haptics = bench.snapshot.haptics.pulses.count { $0.pattern == .failure }
        bench.tap(0)
        bench.run(for: .seconds(2))
        #expect(bench.snapshot.haptics.pulses.count { $0.pattern == .failure } == haptics + (items == 128 ? 1 : 0))
        #expect(bench.phone.waitingCount == (items == 128 ? 128 : items + 1))
        bench.send(.swipe(-1))
        #expect(bench.titles.count == min(128, items + 1))
        bench.onPhone { phone in
            for number in 0..<20 { phone.add(PhoneItem(id: 5_000 + UInt32(number), title: "More \(number)")) }
        }
        bench.run(for: .seconds(5))
        #expect(bench.titles.count == 128)
        #expect(bench.screen.isSynchronized)
    }

    @Test func `the sheet, with one added, and without any`() throws {
        let phone = InMemoryPhone(items: 2)
        let titles = ["Oat milk", "Eggs", "Rye bread, sliced", "Bananas", "Tomatoes", "Coffee beans", "Crème fraîche"]
        phone.offer(titles.enumerated().map { PhoneItem(id: 900 + UInt32($0.offset), title: $0.element) })
        let bench = try WatchBench(phone: phone, handler: ShippingHandler())
        bench.connect()
        bench.run(for: .seconds(1))
        bench.send(.swipe(1))
        bench.run(for: .seconds(1))
        try GoldenImage.expect(bench.snapshot.frame.bytes, "past-items")
        bench.tap(1)
        bench.run(for: .seconds(1))
        try GoldenImage.expect(bench.snapshot.frame.bytes, "past-items-one-added")
        bench.onPhone { $0.offer([]) }
        bench.run(for: .seconds(1))
        try GoldenImage.expect(bench.snapshot.frame.bytes, "past-items-none")
    }

    @Test func `off the wrist none can be read or added`() throws {
        let bench = try bench(offers: 2)
        bench.send(.swipe(1))
        bench.send(.wrist(.removed))
        #expect(bench.screen.screen == .face)
        #expect(!bench.screen.text.contains("Past"))
        bench.send(.swipe(1))
        bench.tap(0)
        bench.send(.wrist(.worn))
        bench.run(for: .seconds(1))
        #expect(bench.phone.waitingCount == 2)
    }
}
