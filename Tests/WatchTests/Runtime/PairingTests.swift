import DeviceModel
import Testing
import WatchLink

@testable import Watch

@Suite("Pairing on the watch's own screen")
struct PairingTests {
    private func bench() throws -> WatchBench<ShippingHandler> {
        let bench = try WatchBench(phone: SimulatedPhone(items: 5), handler: ShippingHandler())
        bench.connect()
        return bench
    }

    private func ask(_ bench: WatchBench<ShippingHandler>, _ digits: UInt32 = 42) {
        bench.send(.pairing(.compare(digits: digits)))
        bench.run(for: WatchLimits.pairingGuard)
    }

    @Test("the six digits are on the screen, and felt")
    func digits() throws {
        let bench = try bench()
        ask(bench)
        #expect(bench.screen.screen == .pairing)
        #expect(bench.screen.pairingDigits == "000042")
        #expect(bench.snapshot.haptics.pulses.last?.pattern == .click)
        #expect(bench.snapshot.output.pairingAnswers == [])
    }

    @Test(
        "a tap anywhere, or the crown, says that they are the same",
        arguments: [Input.touch(x: 70, y: 80), .press(.crown)])
    func same(_ input: Input) throws {
        let bench = try bench()
        ask(bench)
        bench.send(input)
        #expect(bench.snapshot.output.pairingAnswers == [.same])
        #expect(bench.screen.screen == .list)
        #expect(bench.phone.checkOffs.isEmpty, "and checks nothing off")
    }

    @Test("the side button says that they are not")
    func different() throws {
        let bench = try bench()
        ask(bench)
        bench.send(.press(.side))
        #expect(bench.snapshot.output.pairingAnswers == [.different])
        #expect(bench.screen.screen == .list)
    }

    @Test("the crown does not turn them away")
    func crown() throws {
        let bench = try bench()
        ask(bench)
        bench.send(.crown(detents: 3))
        #expect(bench.screen.screen == .pairing)
    }

    @Test("a tap that was meant for the screen before agrees to nothing")
    func guarded() throws {
        let bench = try bench()
        bench.send(.pairing(.compare(digits: 1)))
        bench.tap(0)
        #expect(bench.snapshot.output.pairingAnswers == [])
        #expect(bench.screen.screen == .pairing)
        bench.run(for: WatchLimits.pairingGuard)
        bench.tap(0)
        #expect(bench.snapshot.output.pairingAnswers == [.same])
    }

    @Test(
        "when it is over the screen before is back, whichever it was",
        arguments: [ScreenDescription.Screen.list, .face])
    func over(_ before: ScreenDescription.Screen) throws {
        let bench = try bench()
        if before == .face { bench.send(.press(.crown)) }
        bench.send(.press(.side))
        ask(bench)
        bench.send(.pairing(.over))
        #expect(bench.screen.screen == before)
        #expect(bench.screen.pairingDigits == nil)
        bench.send(.pairing(.over))
        #expect(bench.screen.screen == before, "and once more changes nothing")
    }

    @Test("a second question replaces the first")
    func replaced() throws {
        let bench = try bench()
        ask(bench, 111_111)
        ask(bench, 222_222)
        #expect(bench.screen.pairingDigits == "222222")
        bench.send(.press(.crown))
        #expect(bench.screen.screen == .list)
    }

    @Test("more than six digits are no question")
    func tooMany() throws {
        let bench = try bench()
        ask(bench, 1_000_000)
        #expect(bench.screen.screen == .list)
    }

    @Test("the list goes on behind it")
    func listGoesOn() throws {
        let bench = try bench()
        ask(bench)
        bench.onPhone { $0.add(PhoneItem(id: 77, title: "Bread")) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.screen == .pairing)
        bench.send(.press(.side))
        #expect(bench.titles.contains("Bread"))
    }
}
