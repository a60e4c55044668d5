import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

struct WristTests {
    @Test(arguments: [Input.crown(detents: 0), .press(.crown), .press(.side)])
    func `a watch off the wrist shows the face, and no item in pixels or words`(_ before: Input) throws {
        let (one, other) = (
            try WatchBench.connected(items: 3, for: .seconds(2)), try WatchBench.connected(items: 5, for: .seconds(2))
        )
        var frames: [PanelFrame] = []
        for bench in [one, other] {
            bench.onPhone { $0.rename(1, to: "Secret \($0.waitingCount)") }
            bench.run(for: .seconds(1))
            bench.send(before)
            bench.send(.wrist(.removed))
            bench.run(for: .seconds(1))
            #expect(bench.screen.screen == .face)
            #expect(bench.screen.rows.isEmpty)
            let words = bench.screen.lines.joined(separator: "\n")
            #expect(!words.contains("Secret") && !words.contains("Item") && !words.contains("left"))
            frames.append(bench.snapshot.frame)
        }
        #expect(frames[0] == frames[1], "two lists look the same")
    }

    @Test(arguments: [
        Input.touch(x: 70, y: 80), .press(.crown), .press(.side), .crown(detents: 3), .hold(.crown),
    ])
    func `off the wrist touches, the crown and buttons mean nothing`(_ input: Input) throws {
        let bench = try WatchBench.connected(items: 3, for: .seconds(2))
        bench.send(.wrist(.removed))
        bench.run(for: .seconds(1))
        let frame = bench.snapshot.frame
        for _ in 0..<3 { bench.send(input) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.screen == .face && bench.snapshot.frame == frame)
        #expect(bench.phone.checkOffs.isEmpty)
    }

    @Test func `a watch that is worn again shows everything, and what has come meanwhile`() throws {
        let bench = try WatchBench.connected(items: 3, for: .seconds(2))
        bench.send(.wrist(.removed))
        bench.onPhone { $0.add(PhoneItem(id: 77, title: "Bread")) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.rows.isEmpty)
        bench.send(.wrist(.worn))
        bench.send(.press(.crown))
        bench.run(for: .seconds(1))
        #expect(bench.titles == ["Item 1", "Item 2", "Item 3", "Bread"])
    }

    @Test func `off the wrist a phone can still pair`() throws {
        let bench = try WatchBench.connected(items: 3, for: .seconds(2))
        bench.send(.wrist(.removed))
        bench.send(.pairing(.compare(digits: 42)))
        bench.run(for: WatchLimits.pairingGuard)
        bench.send(.press(.crown))
        bench.send(.hold(.crown))
        #expect(bench.snapshot.output.pairingAnswers == [.same])
        #expect(bench.screen.screen == .face)
        #expect(bench.screen.rows.isEmpty)
    }

    @Test func `a check-off whose row was held when the watch came off is kept`() throws {
        let bench = try WatchBench.connected(items: 3, for: .seconds(2))
        bench.tap(0)
        bench.send(.wrist(.removed))
        bench.run(for: .seconds(2))
        #expect(bench.phone.checkOffs.map(\.id) == [1])
    }
}

struct NewWatchTests {
    @Test func `a new watch has no list and knows the time`() throws {
        let bench = try WatchBench(phone: InMemoryPhone(items: 0), handler: ShippingHandler())
        try GoldenImage.expect(bench.snapshot.frame.bytes, "watch-new")
        bench.send(.press(.crown))
        try GoldenImage.expect(bench.snapshot.frame.bytes, "watch-new-face")
    }

    @Test func `the visible rows fit one report whatever they are`() throws {
        let wide = String(repeating: "W", count: 60)
        let phone = InMemoryPhone(list: wide, items: (0..<128).map { PhoneItem(id: 4_000_000_000 + $0, title: wide) })
        let bench = try WatchBench(phone: phone, handler: ShippingHandler())
        bench.connect()
        bench.run(for: .seconds(1))
        let board = try SimulatedBoard(
            flash: bench.flash, radio: nil, clock: .virtual(VirtualClock()),
            calendar: .set(BoardCalendar.example, at: .start))
        var program = RuntimeProgram(on: board, handler: ShippingHandler(), seed: 1)
        program.start()
        // `description` throws if the rows do not fit.
        #expect(try program.runtime.description().count > 6 * 48)
        #expect(program.describe().rows.count == 128)
    }
}
