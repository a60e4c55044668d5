import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

struct UpdatePaceTests {
    /// Returns a watch that shows its face, and is in sync with a phone that has `items` items.
    private func bench(items: Int) throws -> WatchBench<ShippingHandler> {
        let bench = try WatchBench.connected(items: items, for: .seconds(2))
        bench.send(.press(.crown))
        bench.run(for: .seconds(1))
        return bench
    }

    private func add(_ number: Int, to bench: WatchBench<ShippingHandler>) {
        bench.onPhone { $0.add(PhoneItem(id: UInt32(1_000 + number), title: "New \(number)")) }
    }

    @Test func `two hundred changes in an hour give six updates at most, and the last content is right`() throws {
        let bench = try bench(items: 3)
        var contents = [bench.screen.complication]
        for number in 0..<200 {
            add(number, to: bench)
            // The panel changes every minute, because the face shows the time. The complication changes only with an
            // update.
            bench.run(for: .seconds(18))
            if bench.screen.complication != contents.last { contents.append(bench.screen.complication) }
        }
        #expect(contents.count - 1 == 6, "at 0, 10, 20, 30, 40 and 50 minutes")
        bench.run(for: .seconds(600))
        #expect(bench.screen.complication == .init(text: "Item 1", remaining: 203))
    }

    @Test func `ten additions in a second are one update now and one in ten minutes`() throws {
        let bench = try bench(items: 3)
        for number in 0..<10 { add(number, to: bench) }
        bench.run(for: .seconds(5))
        #expect(bench.screen.complication.remaining == 4)
        #expect(bench.screen.remaining == 13, "the list itself is not behind")
        #expect(bench.screen.lines.contains("4 left") && !bench.screen.lines.contains("13 left"))
        let faceBefore = bench.snapshot.frame
        bench.run(for: .seconds(580))
        #expect(bench.screen.complication.remaining == 4)
        bench.run(for: .seconds(20))
        #expect(bench.screen.complication.remaining == 13)
        #expect(bench.screen.lines.contains("13 left"))
        #expect(bench.snapshot.frame != faceBefore)
    }

    @Test(arguments: [0, 1, 2])
    func `a wearer who turns to the face, raises the wrist or taps sees the list as it is`(_ way: Int) throws {
        let bench = try bench(items: 3)
        for number in 0..<10 { add(number, to: bench) }
        bench.run(for: .seconds(5))
        switch way {
        case 0:
            bench.send(.press(.crown))
            bench.send(.press(.crown))
        case 1: bench.send(.wrist(.raised))
        default:
            bench.send(.press(.crown))
            bench.run(for: .seconds(1))
            bench.tap(0)
        }
        bench.run(for: .seconds(1))
        #expect(bench.screen.complication.remaining == (way == 2 ? 12 : 13))
        // The earlier changes do not delay the next one.
        bench.onPhone { $0.add(PhoneItem(id: 5_000, title: "One more")) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.complication.remaining == (way == 2 ? 13 : 14))
    }

    @Test(arguments: [0, 3])
    func `what the phone has at the handshake is one change: in sync, the face says it`(_ items: Int) throws {
        let phone = InMemoryPhone(items: items)
        phone.send(timeline: [
            ComplicationEntry(date: 1, content: .text, text: ItemTitle("Market day"), relevance: 150)
        ])
        let bench = try WatchBench(phone: phone, handler: ShippingHandler())
        bench.send(.press(.crown))
        bench.connect()
        #expect(bench.screen.isSynchronized)
        #expect(bench.screen.complication.text == "Market day")
    }

    @Test(arguments: [false, true])
    func `a push shows what waits, and the value that comes behind it`(_ isFirst: Bool) throws {
        let bench = try bench(items: 0)
        let noon = UInt32(1_763_600_000)
        func note(_ text: String) {
            bench.onPhone {
                $0.send(timeline: [ComplicationEntry(date: noon, content: .text, text: ItemTitle(text), relevance: 150)]
                )
            }
            bench.run(for: .seconds(1))
        }
        note("First")
        #expect(bench.screen.complication.text == "First")
        if isFirst {
            bench.onPhone { $0.pushComplication() }
            bench.run(for: .seconds(1))
            #expect(bench.screen.complication.text == "First")
            note("Second")
        } else {
            note("Second")
            #expect(bench.screen.complication.text == "First")
            bench.onPhone { $0.pushComplication() }
            bench.run(for: .seconds(1))
        }
        #expect(bench.screen.complication.text == "Second")
        #expect(bench.screen.isSynchronized, "a push is acknowledged like any message")
    }

    @Test
    func `a day without the phone is one change when it comes back, whatever came of it in how many messages`() throws {
        let bench = try bench(items: 3)
        bench.radio.cut()
        for number in 0..<100 { add(number, to: bench) }
        bench.run(for: .seconds(3_600))
        var contents = [bench.screen.complication]
        bench.radio.connect()
        for _ in 0..<2_000 {
            bench.run(for: .milliseconds(2))
            if bench.screen.complication != contents.last { contents.append(bench.screen.complication) }
        }
        #expect(contents == [.init(text: "Item 1", remaining: 3), .init(text: "Item 1", remaining: 103)])
    }

    @Test func `what is more relevant than the list comes in its place, and goes when it expires`() throws {
        let bench = try bench(items: 2)
        let now = try #require(bench.now)
        bench.onPhone {
            $0.send(timeline: [
                ComplicationEntry(date: now - 60, content: .text, text: ItemTitle("Less"), relevance: 100),
                ComplicationEntry(
                    date: now + 120, content: .text, text: ItemTitle("More"), relevance: 101, expires: now + 240),
            ])
        }
        bench.run(for: .seconds(60))
        #expect(bench.screen.complication.text == "Item 1")
        bench.run(for: .seconds(120))
        #expect(bench.screen.complication.text == "More", "by the clock, without the phone")
        bench.run(for: .seconds(120))
        #expect(bench.screen.complication.text == "Item 1")
    }

    @Test func `the face comes back from another time by itself, and on the panel and in words at once`() throws {
        let bench = try bench(items: 2)
        let now = try #require(bench.now)
        bench.onPhone {
            $0.send(timeline: [
                ComplicationEntry(date: now - 60, content: .text, text: ItemTitle("Now"), relevance: 150),
                ComplicationEntry(date: now + 7_200, content: .text, text: ItemTitle("Later"), relevance: 150),
            ])
        }
        bench.run(for: .seconds(1))
        bench.send(.crown(detents: 1))
        bench.run(for: .seconds(1))
        let there = bench.snapshot.frame
        #expect(bench.screen.travel?.complication.text == "Later")
        bench.run(for: .seconds(15))
        bench.send(.crown(detents: 1))
        bench.run(for: .seconds(18))
        #expect(bench.screen.travel != nil, "a turn keeps it")
        bench.run(for: .seconds(3))
        #expect(bench.screen.travel == nil)
        #expect(bench.snapshot.frame != there)
    }
}

extension WatchBench<ShippingHandler> {
    /// The time on the watch's wall clock, in local seconds since 1970.
    fileprivate var now: UInt32? { watch.calendar?.time(at: watch.now, ahead: 0)?.seconds }
}
