import DeviceModel
import Testing
import WatchLink

@testable import Watch

struct WristTests {
    private func bench(items: Int = 3) throws -> WatchBench<ShippingHandler> {
        let bench = try WatchBench(phone: SimulatedPhone(items: items), handler: ShippingHandler())
        bench.connect()
        bench.run(for: .seconds(2))
        return bench
    }

    @Test(arguments: [Input.crown(detents: 0), .press(.crown), .press(.side)])
    func `shows the face, and no item in pixels or words`(_ before: Input) throws {
        let (one, other) = (try bench(items: 3), try bench(items: 5))
        var frames: [PanelFrame] = []
        for bench in [one, other] {
            bench.onPhone { $0.rename(1, to: "Secret \(bench.phone.waiting.count)") }
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
    func `means nothing by touches, the crown and buttons`(_ input: Input) throws {
        let bench = try bench()
        bench.send(.wrist(.removed))
        bench.run(for: .seconds(1))
        let frame = bench.snapshot.frame
        for _ in 0..<3 { bench.send(input) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.screen == .face && bench.snapshot.frame == frame)
        #expect(bench.phone.checkOffs.isEmpty)
    }

    @Test func `shows everything again once it is worn, and what has come meanwhile`() throws {
        let bench = try bench()
        bench.send(.wrist(.removed))
        bench.onPhone { $0.add(PhoneItem(id: 77, title: "Bread")) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.rows.isEmpty)
        bench.send(.wrist(.worn))
        bench.send(.press(.crown))
        bench.run(for: .seconds(1))
        #expect(bench.titles == ["Item 1", "Item 2", "Item 3", "Bread"])
    }

    @Test func `still pairs: the digits are a question to whoever has the watch in the hand`() throws {
        let bench = try bench()
        bench.send(.wrist(.removed))
        bench.send(.pairing(.compare(digits: 42)))
        bench.run(for: WatchLimits.pairingGuard)
        bench.send(.press(.crown))
        bench.send(.hold(.crown))
        #expect(bench.snapshot.output.pairingAnswers == [.same])
        #expect(bench.screen.screen == .face)
        #expect(bench.screen.rows.isEmpty)
    }

    @Test func `keeps a check-off whose row was still held`() throws {
        let bench = try bench()
        bench.tap(0)
        bench.send(.wrist(.removed))
        bench.run(for: .seconds(2))
        #expect(bench.phone.checkOffs.map(\.id) == [1])
    }
}
