import DeviceModel
import Testing
import Watch
import WatchLink

private struct PassingHandler: ComposedTapHandler {
    var stages: some TapHandler { ShippingHandler() }

    static func declare(_ names: inout MessageNames) {
        names.latest("open", from: .phone)
        names.queued("lap", from: .watch, waiting: 2)
    }

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        switch message.event {
        case .passed(let number, .applied): show("applied ", number, on: &watch)
        case .passed(let number, .rejected): show("rejected ", number, on: &watch)
        case .passed(let number, .unknown): show("done ", number, on: &watch)
        case .value: show("open", nil, on: &watch)
        case .cleared, .queued, .asked, .over, .file: break
        }
        watch.showSheet()
    }

    func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {
        do throws(MessageError) {
            show("passed ", try watch.pass(7 as UInt32, under: "lap"), on: &watch)
        } catch {
            show("full", nil, on: &watch)
        }
    }

    private func show<B: Board & ~Copyable>(_ words: StaticString, _ number: UInt32?, on watch: inout WatchCore<B>) {
        var text = ShortText()
        text.append(words)
        if let number { text.append(number) }
        watch.sheet = HandlerSheet(title: "Laps", text: text, buttons: "Lap")
    }
}

struct PassedOutcomeTests {
    private func opened() throws -> WatchBench<PassingHandler> {
        let bench = try WatchBench(items: 3, handler: PassingHandler())
        bench.connect()
        bench.pass(latest: "open", 1 as UInt32)
        bench.run { $0.description.sheet?.text == "open" }
        return bench
    }

    private func press(_ bench: WatchBench<PassingHandler>, for time: Microseconds = .milliseconds(1)) -> String? {
        bench.send(.tap(x: 72, y: 150))
        bench.run(for: time)
        return bench.snapshot.description.sheet?.text
    }

    @Test func `the handler is told when the phone has its message, by the number that pass returned`() throws {
        let bench = try opened()
        #expect(press(bench, for: .seconds(1)) == "applied 1")
        #expect(press(bench, for: .seconds(1)) == "applied 2")
        #expect(bench.heard.filter { $0.name == "lap" }.count == 2)
    }

    @Test func `messages that wait for a phone keep their places until the handler knows how they ended`() throws {
        let bench = try opened()
        bench.disconnect()
        bench.run(for: .seconds(1))
        #expect(press(bench) == "passed 1")
        #expect(press(bench) == "passed 2")
        #expect(press(bench) == "full")
        bench.connect()
        bench.run { $0.description.sheet?.text == "applied 2" }
        #expect(press(bench, for: .seconds(1)) == "applied 3")
        #expect(bench.heard.filter { $0.name == "lap" }.count == 3)
    }
}
