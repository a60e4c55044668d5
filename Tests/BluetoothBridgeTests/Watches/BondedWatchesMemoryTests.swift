import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

@Suite(.timeLimit(.minutes(60)))
struct BondedWatchesMemoryTests {
    /// The watch's program has ended, and its machine answers with services of its own.
    private func endProgram(of watch: PhoneBench.Neighbour) async throws -> BluetoothRegistration {
        await watch.advertising.end()
        return try await watch.control.advertise(
            BluetoothAdvertisement(name: "machine", service: .battery), on: "hci0")
    }

    @Test(arguments: [false, true])
    func `A watch stays one while there are keys for it, and is tried again`(_ isAfterRestart: Bool) async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let memory = WatchMemory()
        var listener = bench.makeListener(memory)
        let channel = try await listener.accept()
        if isAfterRestart { listener.close() }
        let advertising = try await endProgram(of: watch)
        if isAfterRestart {
            listener = bench.makeListener(memory)
        } else {
            try #require(bench.openings.watchEnd(of: watch.address)).close()
            await #expect(throws: WormholeError.closed) { _ = try await channel.receive() }
            try await bench.rest(until: BondedWatches.settlingPause, BondedWatches.lookingPause)
            bench.go(to: BondedWatches.settlingPause)
        }
        _ = try await listener.accept()
        #expect(bench.openings.attempts.count == 2)
        await advertising.end()
        listener.close()
    }

    @Test func `What was unpaired is forgotten, and what was never a watch is not tried`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let other = try await bench.bonded(2, .battery)
        let memory = WatchMemory()
        let listener = bench.makeListener(memory)
        let channel = try await listener.accept()
        #expect(memory.contains(watch.peer, on: PhoneBench.phoneAddress))
        try await bench.phone.forget(watch.peer, on: "hci0")
        channel.close()
        try await bench.rest(until: BondedWatches.settlingPause, BondedWatches.lookingPause)
        bench.go(to: BondedWatches.lookingPause)
        try await bench.end(of: watch)
        #expect(!memory.contains(watch.peer, on: PhoneBench.phoneAddress))
        #expect(!memory.contains(other.peer, on: PhoneBench.phoneAddress))
        #expect(bench.openings.attempts.map(\.watch) == [watch.address])
        listener.close()
    }
}
