import GRDB
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

/// Values of two watches of one phone, where one of them restarts and sends all its values again.
@Suite struct RestartedWatchTests {
    let bench: WatchBench
    let other = PeerIdentity(rawValue: 0xF00D_0000_0000_0002)

    init() throws { bench = try WatchBench() }

    private func pass(
        _ value: UInt8?, from peer: PeerIdentity, run: UInt32, _ revision: UInt32
    ) async throws -> ArrivalOutcome {
        let content: InboundMessage.Content = value.map { .latest("taps", payload: [$0]) } ?? .cleared("taps")
        return try bench.messages.apply([
            InboundMessage(peer: peer, epoch: run, sequence: revision, content: content)
        ])[0]
    }

    private func taps() async throws -> [UInt8]? { try bench.messages.currentValue(under: "taps") }

    private func meetBoth() async throws {
        try await bench.meet(WatchBench.Words(run: 3))
        try await bench.meet(WatchBench.Words(run: 9, identity: other))
    }

    @Test(arguments: [5, nil] as [UInt8?])
    func `what a restarted watch sends again unchanged does not replace the newer value of another`(
        value: UInt8?
    ) async throws {
        try await meetBoth()
        #expect(try await pass(value, from: bench.watch, run: 3, 1) == .applied)
        #expect(try await pass(7, from: other, run: 9, 1) == .applied)
        let reported = bench.reported.all.count
        try await bench.meet(WatchBench.Words(run: 4, valuesIssued: 1))
        #expect(try await pass(value, from: bench.watch, run: 4, 1) == .repeated)
        #expect(try await taps() == [7])
        let applied = bench.reported.all.dropFirst(reported).filter { if case .applied = $0 { true } else { false } }
        #expect(applied.isEmpty)
        #expect(try await pass(6, from: bench.watch, run: 4, 2) == .applied)
        #expect(try await taps() == [6])
    }

    @Test func `the same value is new where the watch passes it after its hello`() async throws {
        try await meetBoth()
        _ = try await pass(5, from: bench.watch, run: 3, 1)
        _ = try await pass(7, from: other, run: 9, 1)
        try await bench.meet(WatchBench.Words(run: 4, valuesIssued: 1))
        #expect(try await pass(5, from: bench.watch, run: 4, 2) == .applied)
        #expect(try await taps() == [5])
    }

    @Test func `a value of the phone's own is not replaced by an older one of a restarted watch`() async throws {
        try await meetBoth()
        _ = try await pass(5, from: bench.watch, run: 3, 1)
        let revision = try bench.messages.replace("taps", with: [9], for: .everyone)
        let epoch = try await bench.meet(WatchBench.Words(run: 4, valuesIssued: 1)).epoch
        #expect(try await pass(5, from: bench.watch, run: 4, 1) == .repeated)
        #expect(try await taps() == [9])
        // The watch has the phone's now, so the same value was passed anew.
        try bench.messages.acknowledged(Acknowledgement(queued: 0, latest: revision), by: bench.watch)
        try await bench.meet(
            WatchBench.Words(run: 5, knows: epoch, valuesIssued: 1, valuesApplied: revision))
        #expect(try await pass(5, from: bench.watch, run: 5, 1) == .applied)
        #expect(try await taps() == [5])
    }

    @Test func `it holds through a restart of the phone, and ends when the watch is forgotten`() async throws {
        try await meetBoth()
        _ = try await pass(5, from: bench.watch, run: 3, 1)
        _ = try await pass(7, from: other, run: 9, 1)
        try await bench.restart()
        try await bench.meet(WatchBench.Words(run: 4, valuesIssued: 1))
        #expect(try await pass(5, from: bench.watch, run: 4, 1) == .repeated)
        try await bench.forget()
        let left = try await bench.store.read {
            try Int64.fetchAll($0, sql: "SELECT peer FROM passedValue").map { PeerIdentity(stored: $0) }
        }
        #expect(left == [other])
    }
}
