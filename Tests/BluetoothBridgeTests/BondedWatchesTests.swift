import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

@Suite(.timeLimit(.minutes(60)))
struct BondedWatchesTests {
    /// The time of the second scan for bonded watches. The first scan is at the start.
    private static let look = BondedWatches.scanInterval

    /// Returns a bench, its bonded watch, the listener, and the channel that the listener has opened to the watch.
    private func served() async throws
        -> (PhoneBench, PhoneBench.Neighbour, BondedWatches, any DatagramTransport)
    {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let listener = bench.makeListener()
        return (bench, watch, listener, try await listener.accept())
    }

    @Test func `A bonded watch is connected to at once, by the usual PSM, and its channel carries`() async throws {
        let (bench, watch, listener, channel) = try await served()
        #expect(bench.openings.attempts == [Openings.Attempt(watch.address, .zero)])
        let watchEnd = try #require(bench.openings.watchEnd(of: watch.address))
        try await watchEnd.send([1])
        #expect(try await channel.receive() == [1])
        try await channel.send([2])
        #expect(try await watchEnd.receive() == [2])
        #expect(bench.log.warnings.isEmpty)
        listener.close()
    }

    @Test func `Two watches are both served, and one that is away does not hold up the other`() async throws {
        let bench = PhoneBench()
        let away = try await bench.bonded(1)
        bench.openings.answer(away.address, .hangs)
        let near = try await bench.bonded(2)
        let listener = bench.makeListener()
        let first = try await listener.accept()
        try await #require(bench.openings.watchEnd(of: near.address)).send([2])
        #expect(try await first.receive() == [2])
        let third = try await bench.bonded(3)
        try await bench.pass(to: Self.look, Microseconds(.max))
        let second = try await listener.accept()
        try await #require(bench.openings.watchEnd(of: third.address)).send([3])
        #expect(try await second.receive() == [3])
        listener.close()
    }

    @Test func `A lost channel is opened again after half a second`() async throws {
        let (bench, watch, listener, first) = try await served()
        try #require(bench.openings.watchEnd(of: watch.address)).close()
        await #expect(throws: WormholeError.closed) { _ = try await first.receive() }
        try await bench.pass(to: .milliseconds(500), Self.look)
        try await listener.accept().close()
        try await bench.pass(to: .milliseconds(1_000), Self.look)
        let third = try await listener.accept()
        try await bench.pass(to: Self.look)
        try await bench.rest(until: Self.look + Self.look)
        bench.go(to: .milliseconds(1_000) + BondedWatches.steadyTime)
        try await bench.openLink(over: third, with: watch)
        third.close()
        try await bench.pass(to: .milliseconds(1_500) + BondedWatches.steadyTime, Self.look + Self.look)
        _ = try await listener.accept()
        let times = bench.openings.attempts.map { $0.at.count / 1_000 }
        #expect(times == [0, 500, 1_000, 3_500])
        #expect(bench.log.warnings.isEmpty)
        listener.close()
    }

    @Test func `A channel over which no link opens is opened again after half a second, later and later, up to 2 s`()
        async throws
    {
        let bench = PhoneBench()
        _ = try await bench.bonded(1)
        let listener = bench.makeListener()
        let listening = Task {
            while let channel = try? await listener.accept() { channel.close() }
        }
        while bench.openings.attempts.count < 9 {
            try Task.checkCancellation()
            // The two deadlines are the next scan and the next attempt.
            if bench.clock.deadlines.count == 2, let next = bench.clock.nextDeadline {
                bench.clock.advance(by: next - bench.clock.now)
            }
            await Task.yield()
        }
        let times = bench.openings.attempts.map { $0.at.count / 1_000 }
        #expect(zip(times, times.dropFirst()).map { $1 - $0 } == [500, 500, 500, 500, 800, 1_600, 2_000, 2_000])
        listener.close()
        await listening.value
    }

    @Test(arguments: [GoodbyeReason.version, .refused])
    func `After a goodbye that says that coming back is of no use a watch is left alone for 60 s`(
        _ reason: GoodbyeReason
    ) async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let listener = bench.makeListener()
        try await bench.hearGoodbye(reason, of: watch, over: listener.accept())
        for second in stride(from: UInt32(2), to: 60, by: 2) {
            // Two tasks sleep: the scan of all bonds, and the task of this watch, which checks its bond.
            try await bench.pass(to: .seconds(second), .seconds(second))
        }
        try await bench.rest(until: .seconds(60), .seconds(60))
        #expect(bench.openings.attempts.count == 1)
        bench.go(to: .seconds(60))
        _ = try await listener.accept()
        #expect(bench.openings.attempts.map(\.at) == [.zero, .seconds(60)])
        listener.close()
    }

    @Test func `A watch that is paired anew is connected to, whatever it has said before`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let listener = bench.makeListener()
        try await bench.hearGoodbye(.refused, of: watch, over: listener.accept())
        try await bench.rest(until: Self.look, Self.look)
        try await bench.phone.forget(watch.peer, on: "hci0")
        bench.go(to: Self.look)
        try await bench.end(of: watch)
        try await bench.rest(until: Self.look + Self.look)
        try await bench.bond(watch)
        bench.go(to: Self.look + Self.look)
        _ = try await listener.accept()
        #expect(bench.openings.attempts.map(\.at) == [.zero, Self.look + Self.look])
        listener.close()
    }

    @Test
    func `The pause after a failure doubles from 50 ms to 1 s, the reason is reported once, and success starts anew`()
        async throws
    {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        bench.openings.answer(watch.address, .fails(.outOfReach(watch.address)))
        let listener = bench.makeListener()
        // The scans of the bonds come at 2 s and 4 s.
        for (attempt, look) in [(50, 2_000), (150, 2_000), (350, 2_000), (750, 2_000), (1_550, 2_000)] {
            try await bench.pass(to: .milliseconds(UInt32(attempt)), .milliseconds(UInt32(look)))
        }
        try await bench.pass(to: .milliseconds(2_000), .milliseconds(2_550))
        try await bench.pass(to: .milliseconds(2_550), .milliseconds(4_000))
        try await bench.rest(until: .milliseconds(3_550), .milliseconds(4_000))
        #expect(bench.log.warnings == [BluetoothError.outOfReach(watch.address).description])
        bench.openings.answer(watch.address, .takes())
        bench.go(to: .milliseconds(3_550))
        let channel = try await listener.accept()
        bench.openings.answer(watch.address, .fails(.outOfReach(watch.address)))
        try await bench.pass(to: .milliseconds(4_000))
        try await bench.rest(until: .milliseconds(6_000))
        bench.go(to: .milliseconds(5_600))
        channel.close()
        try await bench.pass(to: .milliseconds(6_000), .milliseconds(6_100))
        try await bench.pass(to: .milliseconds(6_100), .milliseconds(8_000))
        try await bench.rest(until: .milliseconds(6_200), .milliseconds(8_000))
        // The watch was reachable in between, so the phone warns again.
        #expect(bench.log.warnings.count == 2)
        let times = bench.openings.attempts.map { $0.at.count / 1_000 }
        #expect(times == [0, 50, 150, 350, 750, 1_550, 2_550, 3_550, 6_100])
        listener.close()
    }

    @Test func `What the log says of a watch is one plain line, whatever texts bluetoothd passes on`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        bench.openings.answer(watch.address, .fails(.refused("Failed", "not now\nwarning: forged \u{1B}[2J")))
        let listener = bench.makeListener()
        while bench.log.warnings.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
        let line = try #require(bench.log.warnings.first)
        #expect(line.hasPrefix("BlueZ refused: not now"))
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        listener.close()
    }

    @Test func `A watch that is bonded later is noticed with the next look`() async throws {
        let bench = PhoneBench()
        let listener = bench.makeListener()
        try await bench.rest(until: Self.look)
        let watch = try await bench.bonded(1)
        #expect(bench.openings.attempts.isEmpty)
        bench.go(to: Self.look)
        _ = try await listener.accept()
        #expect(bench.openings.attempts == [Openings.Attempt(watch.address, Self.look)])
        listener.close()
    }

    @Test(arguments: [false, true])
    func `A watch that is unbonded, or blocked before it is, is let go, and served again when it has new keys`(
        isBlocked: Bool
    ) async throws {
        let (bench, watch, listener, channel) = try await served()
        if isBlocked {
            try bench.phone.block(watch.peer, on: "hci0")
        } else {
            try await bench.phone.forget(watch.peer, on: "hci0")
        }
        // Deleting the keys or blocking the watch ends the link, and with it the channel.
        try #require(bench.openings.watchEnd(of: watch.address)).close()
        await #expect(throws: WormholeError.closed) { _ = try await channel.receive() }
        try await bench.pass(to: BondedWatches.settlingPause, Self.look)
        try await bench.end(of: watch)
        bench.go(to: Self.look)
        try await bench.rest(until: .seconds(4))
        #expect(bench.openings.attempts.count == 1)
        if isBlocked { try await bench.phone.forget(watch.peer, on: "hci0") }
        try await bench.bond(watch)
        bench.go(to: .seconds(4))
        _ = try await listener.accept()
        #expect(bench.openings.attempts.map(\.at) == [.zero, .seconds(4)])
        #expect(bench.log.warnings.isEmpty)
        listener.close()
    }

    @Test func `A watch that does not answer is let go as well when it is unbonded`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        bench.openings.answer(watch.address, .fails(.outOfReach(watch.address)))
        let listener = bench.makeListener()
        try await bench.rest(until: .milliseconds(50), Self.look)
        try await bench.phone.forget(watch.peer, on: "hci0")
        bench.go(to: .milliseconds(50))
        try await bench.end(of: watch)
        #expect(bench.openings.attempts.count == 1)
        listener.close()
    }

    @Test func `A bonded device that is no watch is never connected to`() async throws {
        let bench = PhoneBench()
        let headset = try await bench.bonded(1, BluetoothUUID(assigned: 0x110B))
        let listener = bench.makeListener()
        for second in [UInt32(2), 4, 6] {
            try await bench.pass(to: .seconds(second))
        }
        #expect(bench.openings.attempts.isEmpty)
        #expect(try await bench.phone.bonds(on: "hci0").map(\.peer) == [headset.peer])
        listener.close()
    }

    @Test func `A device that turns out to be no watch is let go`() async throws {
        let bench = PhoneBench()
        let device = try await bench.bonded(1)
        await device.advertising.end()
        bench.openings.answer(device.address, .fails(.outOfReach(device.address)))
        let listener = bench.makeListener()
        try await bench.rest(until: .milliseconds(50), Self.look)
        let headset = BluetoothAdvertisement(name: "1", service: BluetoothUUID(assigned: 0x110B))
        let advertising = try await device.control.advertise(headset, on: "hci0")
        bench.go(to: .milliseconds(50))
        try await bench.end(of: device)
        #expect(bench.openings.attempts.count == 1)
        await advertising.end()
        listener.close()
    }

    @Test
    func `A device that claims our service and has keys that are not good is refused, told once, and tried seldom`()
        async throws
    {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let error = BluetoothError.insecure(watch.address, level: 2)
        bench.openings.answer(watch.address, .fails(error))
        let listener = bench.makeListener()
        try await bench.pass(to: .seconds(2), .seconds(5))
        try await bench.pass(to: .seconds(4), .seconds(5))
        try await bench.pass(to: .seconds(5), .seconds(6))
        try await bench.rest(until: .seconds(6), .seconds(10))
        #expect(bench.openings.attempts.map(\.at) == [.zero, .seconds(5)])
        #expect(bench.openings.watchEnd(of: watch.address) == nil)
        #expect(bench.log.warnings == [error.description])
        listener.close()
    }

    @Test func `If no listener takes the usual PSM the watch is asked for another`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let serving = try await watch.control.serve(
            WatchServices(channelNumber: 0x83, battery: BatteryLevel(70)),
            on: "hci0")
        bench.openings.answer(watch.address, .takes(psm: 0x83))
        let listener = bench.makeListener()
        _ = try await listener.accept()
        #expect(
            bench.openings.attempts == [
                Openings.Attempt(watch.address, .zero), Openings.Attempt(watch.address, .zero, psm: 0x83),
            ])
        #expect(bench.log.warnings.isEmpty)
        await serving.end()
        listener.close()
    }

    @Test
    func `A watch that takes neither its usual PSM nor the one it names is reported, and tried again`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        bench.openings.answer(watch.address, .takes(psm: 0x83))
        let listener = bench.makeListener()
        // The watch has no service that names a PSM.
        try await bench.rest(until: Self.look, BondedWatches.hopelessPause)
        #expect(bench.log.warnings == [BluetoothError.noService(watch.address).description])
        listener.close()
    }
}

@Suite(.timeLimit(.minutes(60)))
struct BondedWatchesAdapterTests {
    @Test func `An adapter that is off at the start is switched on`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        try bench.phone.setPower(false, of: "hci0")
        let listener = bench.makeListener()
        _ = try await listener.accept()
        #expect(try await bench.phone.adapter(named: nil).isOn)
        #expect(bench.openings.attempts.map(\.watch) == [watch.address])
        #expect(bench.log.warnings.isEmpty)
        listener.close()
    }

    @Test func `An adapter that another program switches off is left off, and told once for all`() async throws {
        let bench = PhoneBench()
        let watches = [try await bench.bonded(1), try await bench.bonded(2)]
        let listener = bench.makeListener()
        let channels = [try await listener.accept(), try await listener.accept()]
        try await bench.rest(until: .seconds(2))
        try bench.phone.setPower(false, of: "hci0")
        let error = BluetoothError.adapterDown(name: "hci0")
        for watch in watches { bench.openings.answer(watch.address, .fails(error)) }
        for channel in channels { channel.close() }
        try await Self.pass(.seconds(7), bench)
        #expect(bench.log.warnings == [error.description])
        #expect(try await bench.phone.adapter(named: "hci0").isOn == false)
        try bench.phone.setPower(true, of: "hci0")
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

    @Test func `Closing closes channels that were not accepted, and leaves the others open`() async throws {
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

    /// Advances the clock by `length`, from one deadline to the next. Before each step, waits until three tasks are asleep:
    /// the scan's task, and a task for each of two unreachable watches.
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
