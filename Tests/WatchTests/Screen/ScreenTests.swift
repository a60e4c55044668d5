import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

struct ScreenTests {
    @Test func `the crown scrolls the list and stops at its ends`() throws {
        let bench = try WatchBench.connected()
        bench.send(.crown(detents: 2))
        #expect(bench.screen.firstVisibleRow == 2)
        bench.send(.crown(detents: 100))
        #expect(bench.screen.firstVisibleRow == 10 - RowGeometry.rowsVisible)
        bench.send(.crown(detents: -128))
        #expect(bench.screen.firstVisibleRow == 0)
    }

    @Test func `the crown toggles between list and face, and a touch on the face opens the list`() throws {
        let bench = try WatchBench.connected(items: 3)
        bench.send(.press(.crown))
        #expect(bench.screen.screen == .face)
        bench.send(.press(.crown))
        #expect(bench.screen.screen == .list)
        bench.send(.press(.crown))
        bench.tap(x: 70, y: 140)
        #expect(bench.screen.screen == .list)
    }

    @Test func `a sheet returns to where it came from`() throws {
        let bench = try WatchBench.connected(items: 12)
        bench.send(.crown(detents: 4))
        bench.tap(x: 40, y: 5)
        #expect(bench.screen.screen == .status)
        bench.send(.press(.crown))
        #expect(bench.screen.screen == .list)
        #expect(bench.screen.firstVisibleRow == 4)
        bench.send(.press(.crown))
        bench.send(.press(.side))
        #expect(bench.screen.screen == .status)
        bench.send(.press(.side))
        #expect(bench.screen.screen == .face)
    }

    private func open(_ screen: ScreenName, on bench: WatchBench<SheetHandler>) {
        switch screen {
        case .face: bench.send(.press(.crown))
        case .list: break
        case .status: bench.tap(x: 40, y: 5)
        case .fullTitle: bench.send(.press(.side))
        case .pairing: bench.send(.pairing(.compare(digits: 123_456)))
        case .sheet: bench.tap(0)
        case .past: bench.send(.swipe(1))
        }
    }

    @Test func `every screen can be reached, is drawn as its golden image and has words of its own`() throws {
        let screens = (UInt8.min...UInt8.max).compactMap(ScreenName.init(rawValue:))
        var (frames, words): ([PanelFrame], [[String]]) = ([], [])
        for screen in screens {
            let bench = try WatchBench(items: 3, handler: SheetHandler())
            bench.connect()
            open(screen, on: bench)
            bench.run(for: .milliseconds(200))
            #expect(bench.screen.screen == screen)
            #expect(ScreenName(name: screen.name) == screen && ScreenName(name: screen.name + "s") == nil)
            try GoldenImage.expect(bench.snapshot.frame.bytes, "screen-\(screen.name)")
            frames.append(bench.snapshot.frame)
            words.append(bench.screen.lines)
        }
        for (index, frame) in frames.enumerated() { #expect(frames.firstIndex(of: frame) == index) }
        #expect(Set(words).count == screens.count)
    }

    @Test func `the face follows the minute`() throws {
        let bench = try WatchBench.connected(items: 3)
        bench.send(.press(.crown))
        #expect(bench.screen.time == "10:08")
        let before = bench.snapshot.frame
        bench.run(for: .seconds(31))
        #expect(bench.screen.time == "10:09")
        #expect(bench.snapshot.frame != before)
    }

    @Test func `the complication always has something relevant`() throws {
        let bench = try WatchBench.connected(items: 2)
        #expect(bench.screen.complication == .init(text: "Item 1", remaining: 2))
        bench.tap(0)
        bench.run(for: .seconds(1))
        #expect(bench.screen.complication == .init(text: "Item 2", remaining: 1))
        bench.tap(0)
        bench.run(for: .seconds(1))
        // This text comes from the phone's timeline.
        #expect(bench.screen.complication == .init(text: "Trip just now"))
    }

    @Test func `the crown travels in time on the face`() throws {
        let bench = try WatchBench.connected(items: 0)
        let noon = UInt32(1_795_176_000)
        bench.onPhone {
            $0.send(timeline: [
                ComplicationEntry(date: noon - 86_400, content: .text, text: ItemTitle("Yesterday")),
                ComplicationEntry(date: noon, content: .text, text: ItemTitle("Bakery opens")),
            ])
        }
        bench.run(for: .milliseconds(200))
        bench.send(.press(.crown))
        let now = bench.snapshot.frame
        bench.send(.crown(detents: 1))
        let bakery = bench.snapshot.frame
        #expect(bakery != now)
        bench.onPhone {
            $0.send(timeline: [
                ComplicationEntry(date: noon - 86_400, content: .text, text: ItemTitle("Yesterday")),
                ComplicationEntry(date: noon, content: .text, text: ItemTitle("Market day")),
            ])
        }
        bench.run(for: .milliseconds(200))
        #expect(bench.screen.travel?.complication.text == "Market day")
        #expect(bench.snapshot.frame != bakery)
        bench.send(.press(.crown))
        bench.run(for: .milliseconds(50))
        #expect(bench.snapshot.frame == now)
        #expect(bench.screen.screen == .face)
    }

    @Test func `the words of a face are those of its picture, also of a text that ends`() throws {
        let bench = try WatchBench.connected(items: 3)
        let noon = UInt32(1_795_176_000)
        bench.onPhone {
            $0.send(timeline: [
                ComplicationEntry(
                    date: noon - 86_400, content: .text, text: ItemTitle("Shop closes"), relevance: 150,
                    expires: noon - 110 * 60)
            ])
        }
        bench.run(for: .seconds(1))
        bench.send(.press(.crown))
        #expect(bench.run { $0.description.time == "10:09" })
        bench.run(for: .seconds(1))
        let frame = bench.snapshot.frame
        #expect(bench.screen.lines.prefix(2) == ["Face, 10:09", "complication: Shop closes"])
        #expect(!bench.screen.lines.joined().contains("left"), "the panel shows no number")
        bench.run(for: .seconds(40))
        #expect(bench.snapshot.frame == frame)
        #expect(bench.screen.lines.prefix(2) == ["Face, 10:09", "complication: Shop closes"])
        bench.run(for: .seconds(25))
        #expect(bench.snapshot.frame != frame)
        #expect(bench.screen.lines.prefix(3) == ["Face, 10:10", "complication: Item 1", "3 left"])
    }

    @Test func `what the watch knows survives a restart`() throws {
        let bench = try WatchBench.connected(items: 12)
        bench.tap(0)
        bench.run(for: .seconds(1))
        bench.radio.cut()
        bench.tap(3)
        bench.run(for: .seconds(1))
        let (titles, remaining) = (bench.titles, bench.screen.remaining)
        try bench.restart()
        #expect(bench.titles == titles)
        #expect(bench.screen.remaining == remaining)
        #expect(bench.screen.title == "Groceries")
        #expect(bench.screen.waitingMessages == 1)
    }
}

private struct SheetHandler: ComposedTapHandler {
    var stages: some TapHandler { Deferred(ShownSheet.self) }
}

private struct ShownSheet: TapStage {
    static var name: StaticString { "shown sheet" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.sheet = HandlerSheet(title: "Stopwatch", text: ShortText(42), buttons: "Start", "Save")
        watch.showSheet()
    }
}
