import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import BluetoothBridge

@Suite("A pairing that this side starts, with a bluetoothd that is made up", .timeLimit(.minutes(1)))
struct PairCallTests {
    private func pair(silences: Int) async throws -> (Result<Void, BluetoothError>, calls: [String]) {
        let place = try PrivateBus()
        try place.start()
        let daemon = try await MadeUpDaemon(on: place)
        daemon.beSilent(silences)
        let clock = ManualClock()
        let control = try BlueZControl(address: place.address, clock: clock)
        try await control.powerOn("hci0")
        let peer = BluetoothPeer(try #require(MadeUpDaemon.peer), .public)
        async let result: Result<Void, BluetoothError> = {
            do throws(BluetoothError) {
                return .success(try await control.pair(with: peer, on: "hci0") { _ in .accept })
            } catch { return .failure(error) }
        }()
        for silence in 1...3 where silence <= silences {
            for await calls in daemon.calls.values() where calls.filter({ $0 == "Pair" }).count == silence { break }
            await clock.waitForSleeper(until: clock.now + BlueZControl.questionLimit)
            clock.advance(by: BlueZControl.questionLimit)
        }
        return (await result, daemon.calls.value)
    }

    @Test("one that asks nobody is begun anew, twice")
    func silences() async throws {
        for silences in 0...2 {
            let (result, calls) = try await pair(silences: silences)
            #expect(throws: Never.self) { try result.get() }
            #expect(calls.filter { $0 == "Pair" }.count == silences + 1)
            #expect(calls.filter { $0 == "CancelPairing" }.count == silences)
        }
    }

    @Test("one that never asks anybody is given up")
    func givenUp() async throws {
        let (result, calls) = try await pair(silences: 3)
        #expect(throws: BluetoothError.self) { try result.get() }
        #expect(calls.filter { $0 == "Pair" }.count == 3)
        #expect(calls.last == "CancelPairing")
    }
}
