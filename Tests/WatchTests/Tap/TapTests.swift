import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

struct TapTests {
    @Test func `the row is struck through at once and goes after 250 milliseconds`() throws {
        let bench = try WatchBench.connected()
        bench.tap(0)
        #expect(bench.screen.rows.first?.state == .struck)
        #expect(bench.screen.remaining == 9)
        bench.run(for: .milliseconds(240))
        #expect(bench.titles.first == "Item 1")
        bench.run(for: .milliseconds(20))
        #expect(bench.titles.first == "Item 2")
    }

    @Test func `the panel is updated before any message is encoded`() throws {
        let bench = try WatchBench.connected()
        bench.tap(0)
        bench.run(until: { $0.taps.first?.time(of: .acknowledged) != nil })
        let tap = try #require(bench.snapshot.taps.first)
        let updated = try #require(tap.time(of: .updated))
        let message = try #require(tap.stages.first { $0.name == "message to the phone" })
        #expect(updated <= message.began)
        // The touch controller's report; two lines of 163 bits and 16 bits around them at 1 MHz. Before the first of them leaves,
        // and after the last has arrived, the processor works for 4,100 cycles at 64 MHz.
        #expect(bench.profile.panel.time(lines: 2) == Microseconds(342))
        let update = try #require(tap.tapToUpdate)
        #expect((Microseconds(215 + 342 + 62)...Microseconds(215 + 342 + 66)).contains(update))
    }

    @Test func `every mark is reached in its order`() throws {
        let bench = try WatchBench.connected()
        bench.tap(2)
        bench.run(until: { $0.taps.first?.time(of: .settled) != nil && $0.taps.first?.time(of: .acknowledged) != nil })
        let tap = try #require(bench.snapshot.taps.first)
        let marks: [TapMark] = [.touch, .handled, .updated, .durable, .sent, .committed, .acknowledged]
        let times = try marks.map { try #require(tap.time(of: $0)) }
        #expect(times == times.sorted())
        #expect(bench.phone.checkOffs.map(\.id) == [3])
    }

    @Test func `a second touch on the struck row means nothing`() throws {
        let bench = try WatchBench.connected()
        bench.tap(0)
        bench.tap(0)
        bench.run(for: .milliseconds(100))
        bench.tap(0)
        bench.run(for: .seconds(1))
        #expect(bench.phone.checkOffs.map(\.id) == [1])
        #expect(bench.screen.remaining == 9)
    }

    @Test func `a tap on another row lets the struck row go at once`() throws {
        let bench = try WatchBench.connected()
        bench.tap(0)
        bench.tap(2)
        #expect(bench.titles.prefix(2) == ["Item 2", "Item 3"])
        #expect(bench.screen.rows.map(\.state).prefix(2) == [.waiting, .struck])
        bench.run(for: .seconds(1))
        #expect(bench.phone.checkOffs.map(\.id) == [1, 3])
    }

    @Test func `a touch counts for the row that was on the panel when the finger came down`() throws {
        let bench = try WatchBench.connected()
        bench.tap(0)
        // The touch controller sees it at its next scan, 250 ms after the first touch.
        let touched = bench.clock.now + .milliseconds(245)
        let y = Int16(RowGeometry.rowTop(3) + 4)
        // The finger comes down on "Item 4" just before the rows move up; the runtime sees it just after.
        bench.watch.send(.tap(x: 20, y: y), touchedAt: touched, seenAt: touched + .milliseconds(12))
        bench.run(for: .seconds(1))
        #expect(bench.phone.checkOffs.map(\.id) == [1, 4])
    }

    @Test func `a touch does not count for a row that came under the finger before it was seen`() throws {
        // The rows move up 250 ms after the first touch, and are on the panel a little later. The touch controller sees a
        // finger up to 10 ms after it came down.
        let reference = try WatchBench.connected()
        reference.tap(0)
        reference.run(for: .seconds(1))
        let first = try #require(reference.snapshot.taps.first)
        // The settled mark leaves out the time for which the struck row was held: from the strike to the end of 250 ms.
        let (settled, update) = try (#require(first.time(of: .settled)), #require(first.tapToUpdate))
        let shown = settled.microseconds + WatchLimits.struckRowHold.count - update.count
        for early in 1...30 as ClosedRange<UInt64> {
            let bench = try WatchBench.connected()
            bench.tap(0)
            let touched = Instant(microseconds: shown - early * 1_000)
            bench.watch.send(.tap(row: 3), at: touched)
            bench.run(for: .seconds(1))
            #expect(bench.phone.checkOffs.map(\.id) == [1, 4], "\(early) ms before the rows had moved up")
        }
    }

    @Test func `taps in a burst are each applied once`() throws {
        let bench = try WatchBench.connected(items: 200)
        for _ in 0..<100 {
            bench.tap(0)
            bench.tap(1)
        }
        bench.run(until: { $0.description.isSynchronized })
        bench.run(for: .seconds(1))
        #expect(Set(bench.phone.checkOffs.map(\.id)).count == bench.phone.checkOffs.count)
        #expect(bench.phone.checkOffs.count + bench.phone.waitingCount == 200)
        #expect(bench.titles == bench.phone.waiting.prefix(128).map(\.title))
    }

    @Test func `taps outside the panel are ignored`() throws {
        let bench = try WatchBench.connected()
        for (x, y) in [(-1, 50), (144, 50), (50, -1), (50, 168), (Int16.min, Int16.max)] as [(Int16, Int16)] {
            bench.tap(x: x, y: y)
        }
        bench.run(for: .seconds(1))
        #expect(bench.phone.checkOffs.isEmpty)
        #expect(bench.screen.screen == .list)
    }

    @Test func `a tap is handled before any queued work`() throws {
        let bench = try WatchBench.connected()
        // Both touches wait when the runtime looks: the second is handled before what the first has deferred.
        bench.watch.send(.tap(x: 60, y: Int16(RowGeometry.rowTop(0) + 4)))
        bench.watch.send(.tap(x: 60, y: Int16(RowGeometry.rowTop(1) + 4)))
        bench.run(for: .seconds(1))
        let taps = bench.snapshot.taps
        #expect(taps.count == 2)
        let secondHandled = try #require(taps.last?.time(of: .handled))
        let firstDeferred = try #require(taps.first?.stages.first { $0.name == "haptic" })
        #expect(secondHandled <= firstDeferred.began)
    }

    @Test func `what is felt does not wait until the row before is gone from the panel`() throws {
        // Each title looks different from the next, so that most lines change.
        let titles = ["Milk", "Wax & jam", "Xylitol", "Quark pie", "Fig jelly", "Zwieback", "Oats", "My yoghurt"]
        let items = titles.enumerated().map { PhoneItem(id: UInt32($0.offset + 1), title: $0.element) }
        let bench = try WatchBench(
            phone: InMemoryPhone(list: "Groceries", items: items), handler: ShippingHandler())
        bench.connect()
        bench.run(for: .milliseconds(100))
        bench.tap(0)
        bench.run(for: .milliseconds(100))
        bench.tap(2)
        bench.run(for: .seconds(1))
        let (first, second) = try (#require(bench.snapshot.taps.first), #require(bench.snapshot.taps.last))
        let haptic = try #require(second.stages.first { $0.name == "haptic" })
        let updated = try #require(second.time(of: .updated))
        #expect(haptic.began < updated)
        #expect(first.time(of: .settled) != nil && second.time(of: .settled) != nil)
        #expect(bench.snapshot.haptics.pulses.map(\.pattern) == [.click, .click])
    }

    @Test func `no touch waits for a whole frame`() throws {
        let bench = try WatchBench.connected(items: 20)
        for wait in 0..<30 as Range<UInt32> {
            // The phone sends another list, and the wearer taps when it is being drawn.
            bench.onPhone { $0.add(PhoneItem(id: 100 + wait, title: "Another \(wait)")) }
            bench.run(for: .milliseconds(20 + wait))
            bench.tap(0)
            bench.run(for: .milliseconds(500))
            let touch = try #require(bench.snapshot.taps.last?.time(of: .touch))
            let felt = try #require(bench.snapshot.haptics.pulses.last?.time)
            #expect(felt > touch && felt - touch <= .milliseconds(10), "\(wait)")
        }
    }

    @Test func `the last item is followed by the success haptic`() throws {
        let bench = try WatchBench.connected(items: 2)
        bench.tap(0)
        bench.run(for: .seconds(1))
        bench.tap(0)
        bench.run(for: .seconds(1))
        #expect(bench.snapshot.haptics.pulses.map(\.pattern) == [.click, .success])
        #expect(bench.screen.rows.isEmpty)
        #expect(bench.screen.remaining == 0)
    }
}
