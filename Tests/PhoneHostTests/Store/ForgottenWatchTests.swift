import GRDB
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

/// Tests that the phone never reports a message of a forgotten watch as lost if it may have applied that message.
@Suite struct ForgottenWatchTests {
    private let bench: WatchBench
    private let half: UInt32 = 1 << 31

    init() throws {
        bench = try WatchBench()
    }

    private func items(_ titles: String...) async throws -> [UInt32] { try await bench.add(titles) }

    @Test func `a clone that has sent an older message since takes nothing from the first watch`() async throws {
        let items = try await items("Milk", "Eggs", "Rye")
        let streams = try await bench.meet(.init(run: 3))
        for number in 1...3 as ClosedRange<UInt32> { try await bench.check(items[Int(number) - 1], number, run: 3) }
        try await bench.forget()
        // The clone was made when message 1 was acknowledged and message 2 was the last one sent.
        let clone = try await bench.meet(
            .init(run: 4, knows: streams.epoch, queuedApplied: 1, floor: 1, floorOrigin: 3, issued: 2))
        #expect(clone.lost == 0)
        try await bench.acknowledge(1)
        try await bench.check(items[1], 2, run: 4, origin: 3)
        let first = try await bench.meet(
            .init(run: 3, knows: streams.epoch, queuedApplied: 1, floor: 3, floorOrigin: 3, issued: 3))
        try await bench.acknowledge(1)
        #expect(first.lost == 0 && !bench.notices.contains { if case .lost = $0 { true } else { false } })
    }

    @Test func `an older flash from before the numbers began again lacks nothing`() async throws {
        let items = try await items("Milk")
        var streams = try await bench.meet(.init(run: 3, floor: half, floorOrigin: 3, issued: half))
        try await bench.acknowledge(1)
        streams = try await bench.meet(.init(run: 4, knows: streams.epoch, queuedApplied: 1))
        try await bench.acknowledge(1)
        try await bench.check(items[0], 1, run: 4)
        try await bench.forget()
        let older = try await bench.meet(
            .init(run: 5, knows: streams.epoch, queuedApplied: 1, floor: half - 1, floorOrigin: 3, issued: half))
        #expect(older.lost == 0)
    }

    @Test func `a watch that has not heard the last hello before it was forgotten has lost nothing`() async throws {
        let known = try await bench.meet(.init(run: 3, floor: half, floorOrigin: 3, issued: half))
        try await bench.acknowledge(1)
        try await bench.restart()
        let unheard = try await bench.meet(
            .init(run: 3, knows: known.epoch, queuedApplied: 1, floor: half, floorOrigin: 3, issued: half))
        #expect(unheard.epoch != known.epoch)
        try await bench.forget()
        #expect(try await bench.meet(.init(run: 4, knows: known.epoch, queuedApplied: 1)).lost == 0)
    }

    @Test func `of the forgotten watches as many are remembered as a table holds, while the host runs`() async throws {
        try await bench.meet(.init(run: 3))
        let most = ForgottenWatch.most
        for number in 1...most + WatchHandshake.mostLocalWatches + 30 {
            bench.world.advance(seconds: 1)
            try await bench.meet(.init(run: 9, identity: PeerIdentity(rawValue: UInt64(number))))
        }
        let rows = try await bench.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM forgotten") }
        #expect(rows == most)
    }

    @Test func `what a watch has checked off is not lost where the phone remembers nothing of it any more`()
        async throws
    {
        let items = try await items("Milk", "Eggs")
        let streams = try await bench.meet(.init(run: 3))
        for number in 1...2 as ClosedRange<UInt32> { try await bench.check(items[Int(number) - 1], number, run: 3) }
        try await bench.forget()
        try await bench.store.write { try $0.execute(sql: "DELETE FROM forgotten") }
        let words = WatchBench.Words(
            run: 4, knows: streams.epoch, queuedApplied: 1, floor: 2, floorOrigin: 3, issued: 2)
        #expect(try await bench.meet(words).lost == 0)
        let more = WatchBench.Words(run: 4, knows: streams.epoch, queuedApplied: 1, floor: 3, floorOrigin: 3, issued: 3)
        #expect(try await bench.meet(more).lost > 0, "the third is missing")
    }
}
