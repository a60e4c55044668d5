import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

struct PairingTests {
    private func ask(_ bench: WatchBench<ShippingHandler>, _ digits: UInt32 = 42) {
        bench.send(.pairing(.compare(digits: digits)))
        bench.run(for: WatchLimits.pairingGuard)
    }

    @Test func `the six digits are on the screen, and felt`() throws {
        let bench = try WatchBench.connected(items: 5)
        ask(bench)
        #expect(bench.screen.screen == .pairing)
        #expect(bench.screen.pairingDigits == "000042")
        #expect(bench.snapshot.haptics.pulses.last?.pattern == .click)
        #expect(bench.snapshot.output.pairingAnswers == [])
    }

    @Test(
        arguments: [
            ([.press(.crown), .hold(.crown)], PairingAnswer.same), ([.press(.side)], .different),
        ] as [([Input], PairingAnswer)])
    func `the crown, held, says that they are the same, and the side button that they are not`(
        inputs: [Input], answer: PairingAnswer
    ) throws {
        let bench = try WatchBench.connected(items: 5)
        ask(bench)
        for input in inputs { bench.send(input) }
        #expect(bench.snapshot.output.pairingAnswers == [answer])
        #expect(bench.screen.screen == .list)
        #expect(bench.checkOffs.isEmpty, "and checks nothing off")
    }

    @Test(arguments: [
        [Input].tap(x: 70, y: 80), .tap(x: 70, y: 5), [.press(.crown)], [.crown(detents: 1)], [.hold(.side)],
    ])
    func `what a list or a face has a use for agrees to nothing, however long the question is there`(_ input: [Input])
        throws
    {
        let bench = try WatchBench.connected(items: 5)
        ask(bench)
        for _ in 0..<3 { bench.send(input) }
        bench.run(for: .seconds(10))
        bench.send(input)
        #expect(bench.snapshot.output.pairingAnswers == [])
        #expect(bench.screen.screen == .pairing)
        #expect(bench.phone.checkOffs.isEmpty)
    }

    @Test(arguments: [[Input](), [.press(.side)]])
    func `the side button, held over the face or its status, opens the pairing mode, and is felt`(_ before: [Input])
        throws
    {
        let bench = try WatchBench.connected(items: 5)
        bench.send(.press(.crown))
        for input in before { bench.send(input) }
        let pulses = bench.snapshot.haptics.pulses.count
        bench.send(.hold(.side))
        #expect(bench.snapshot.output.pairingAnswers == [.open])
        #expect(bench.snapshot.haptics.pulses.count == pulses + 1)
    }

    @Test(arguments: [[Input](), [.press(.side)], .tap(x: 70, y: 5), [.pairing(.compare(digits: 1))]])
    func `a button that is held over the list, one of its sheets or a question does not open it`(_ before: [Input])
        throws
    {
        let bench = try WatchBench.connected(items: 5)
        for input in before { bench.send(input) }
        bench.send(.hold(.side))
        bench.send(.hold(.crown))
        #expect(bench.snapshot.output.pairingAnswers == [])
    }

    @Test func `a hold that began before the digits could be read agrees to nothing`() throws {
        let bench = try WatchBench.connected(items: 5)
        bench.send(.pairing(.compare(digits: 1)))
        bench.send(.hold(.crown))
        #expect(bench.snapshot.output.pairingAnswers == [])
        #expect(bench.screen.screen == .pairing)
        bench.run(for: WatchLimits.pairingGuard)
        bench.send(.hold(.crown))
        #expect(bench.snapshot.output.pairingAnswers == [.same])
    }

    @Test(arguments: [ScreenDescription.Screen.list, .face])
    func `when it is over the screen before is back, whichever it was`(_ before: ScreenDescription.Screen) throws {
        let bench = try WatchBench.connected(items: 5)
        if before == .face { bench.send(.press(.crown)) }
        bench.send(.press(.side))
        ask(bench)
        bench.send(.pairing(.over))
        #expect(bench.screen.screen == before)
        #expect(bench.screen.pairingDigits == nil)
        bench.send(.pairing(.over))
        #expect(bench.screen.screen == before, "and once more changes nothing")
    }

    @Test(arguments: [ScreenDescription.Screen.face, .status])
    func `face and status say that phones may pair while they may`(_ screen: ScreenDescription.Screen) throws {
        let bench = try WatchBench.connected(items: 5, for: .seconds(1))
        bench.send(.press(.crown))
        if screen == .status { bench.send(.press(.side)) }
        bench.run(for: .milliseconds(200))
        let before = bench.snapshot.frame
        #expect(bench.screen.screen == screen)
        bench.send(.pairing(.open))
        bench.run(for: .milliseconds(200))
        #expect(bench.snapshot.frame != before)
        #expect(bench.screen.signs.isPairable && bench.screen.lines.contains("phones may pair"))
        bench.send(.pairing(.closed))
        bench.run(for: .milliseconds(200))
        #expect(bench.snapshot.frame == before && !bench.screen.signs.isPairable)
    }

    @Test func `a second question replaces the first`() throws {
        let bench = try WatchBench.connected(items: 5)
        ask(bench, 111_111)
        ask(bench, 222_222)
        #expect(bench.screen.pairingDigits == "222222")
        bench.send(.hold(.crown))
        #expect(bench.screen.screen == .list)
    }

    @Test func `more than six digits are no question`() throws {
        let bench = try WatchBench.connected(items: 5)
        ask(bench, 1_000_000)
        #expect(bench.screen.screen == .list)
    }

    @Test func `the list goes on behind it`() throws {
        let bench = try WatchBench.connected(items: 5)
        ask(bench)
        bench.onPhone { $0.add(PhoneItem(id: 77, title: "Bread")) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.screen == .pairing)
        bench.send(.press(.side))
        #expect(bench.titles.contains("Bread"))
    }
}
