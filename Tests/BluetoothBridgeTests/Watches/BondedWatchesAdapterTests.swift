import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

@Suite(.timeLimit(.minutes(60)))
struct BondedWatchesAdapterTests {
    @Test func `An adapter that is off at the start is switched on`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        try bench.phone.setPower(.off, of: "hci0")
        let listener = bench.makeListener()
        _ = try await listener.accept()
        #expect(try await bench.phone.adapter(named: nil).power == .on)
        #expect(bench.openings.attempts.map(\.watch) == [watch.address])
        #expect(bench.log.warnings.isEmpty)
        listener.close()
    }

    @Test func `An adapter that somebody switches off is left off, and told once for all watches`() async throws {
        let bench = PhoneBench()
        let watches = [try await bench.bonded(1), try await bench.bonded(2)]
        let listener = bench.makeListener()
        let channels = [try await listener.accept(), try await listener.accept()]
        try await bench.rest(until: .seconds(2))
        try bench.phone.setPower(.off, of: "hci0")
        let error = BluetoothError.adapterDown(name: "hci0")
        for watch in watches { bench.openings.answer(watch.address, .fails(error)) }
        for channel in channels { channel.close() }
        try await Self.pass(.seconds(7), bench)
        #expect(bench.log.warnings == [error.description])
        #expect(try await bench.phone.adapter(named: "hci0").power == .off)
        try bench.phone.setPower(.on, of: "hci0")
        for watch in watches { bench.openings.answer(watch.address, .takes()) }
        bench.clock.advance(by: .seconds(2))
        for _ in watches { _ = try await listener.accept() }
        #expect(bench.log.warnings.count == 1)
        listener.close()
    }

    @Test func `The end of bluetoothd is reported once for all watches, and its return ends it`() async throws {
        let bench = PhoneBench()
        _ = (try await bench.bonded(1), try await bench.bonded(2))
        let listener = bench.makeListener()
        let channels = [try await listener.accept(), try await listener.accept()]
        try await bench.rest(until: .seconds(2))
        bench.phone.setDaemon(failing: .noDaemon)
        for channel in channels { channel.close() }
        try await Self.pass(.seconds(7), bench)
        #expect(bench.log.warnings == [BluetoothError.noDaemon.description])
        bench.phone.setDaemon(failing: nil)
        bench.clock.advance(by: .seconds(2))
        for _ in channels { _ = try await listener.accept() }
        listener.close()
    }

    @Test func `Closing ends what waits for a watch, what pauses, and what is being opened`() async throws {
        let bench = PhoneBench()
        let paused = try await bench.bonded(1)
        bench.openings.answer(paused.address, .fails(.outOfReach(paused.address)))
        let opening = try await bench.bonded(2)
        bench.openings.answer(opening.address, .hangs)
        let listener = bench.makeListener()
        let waiting = Task { try await listener.accept() }
        try await bench.rest(until: .milliseconds(50), .seconds(2), Microseconds(.max))
        listener.close()
        await #expect(throws: WormholeError.closed) { _ = try await waiting.value }
        await #expect(throws: WormholeError.closed) { _ = try await listener.accept() }
        try await bench.rest()
        bench.clock.advance(by: .seconds(3_600))
        try await bench.rest()
        #expect(bench.openings.attempts.count == 2)
        #expect(bench.log.warnings == [BluetoothError.outOfReach(paused.address).description])
    }

    @Test func `Closing closes channels that nobody has accepted, and leaves the others open`() async throws {
        let bench = PhoneBench()
        let first = try await bench.bonded(1)
        let listener = bench.makeListener()
        let accepted = try await listener.accept()
        try await bench.rest(until: .seconds(2))
        let second = try await bench.bonded(2)
        bench.go(to: .seconds(2))
        try await bench.rest(until: .seconds(4))
        while bench.openings.watchEnd(of: second.address) == nil { await Task.yield() }
        listener.close()
        let unaccepted = try #require(bench.openings.watchEnd(of: second.address))
        await #expect(throws: WormholeError.closed) { _ = try await unaccepted.receive() }
        try await #require(bench.openings.watchEnd(of: first.address)).send([1])
        #expect(try await accepted.receive() == [1])
        try await bench.rest()
    }

    @Test func `Letting go of the listener is closing it`() async throws {
        let bench = PhoneBench()
        var listener: BondedWatches? = bench.makeListener()
        try await bench.rest(until: .seconds(2))
        #expect(listener != nil)
        listener = nil
        try await bench.rest()
    }

    /// Lets time pass, from one attempt or look to the next, with two watches that cannot be reached.
    private static func pass(_ length: Microseconds, _ bench: PhoneBench) async throws {
        let end = bench.clock.now + length
        while bench.clock.now < end {
            while bench.clock.deadlines.count < 3 {
                try Task.checkCancellation()
                await Task.yield()
            }
            let next = try #require(bench.clock.nextDeadline)
            bench.clock.advance(by: next - bench.clock.now)
        }
    }
}
