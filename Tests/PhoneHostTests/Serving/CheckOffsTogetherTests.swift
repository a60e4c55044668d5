import Foundation
import GRDB
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

/// Check-offs that arrive together share a transaction.
@Suite struct CheckOffsTogetherTests {
    private func checks(_ bench: WatchBench, _ items: [UInt32]) throws -> [InboundMessage] {
        try items.enumerated().map { index, item in
            let payload = try MessageEncoder().encode(
                FakeWatch.Check(item: item, localTime: 5, tap: UInt32(index) + 1))
            return InboundMessage(
                peer: bench.watch, epoch: 3, sequence: UInt32(index) + 1,
                content: .queued(MessageName(.check), payload: payload))
        }
    }

    private func items(_ bench: WatchBench) async throws -> [UInt32] {
        try await bench.store.add(try drafts("Milk", "Eggs", "Rice")).items.map(\.id.rawValue)
    }

    @Test func `one of an unknown item has its own outcome, and the others are applied in order, once`() async throws {
        let bench = try WatchBench()
        let items = try await items(bench)
        try await bench.meet(WatchBench.Words())
        let messages = try checks(bench, [items[0], 99, items[2]])
        #expect(try bench.messages.apply(messages) == [.applied, .rejected(.refused), .applied])
        #expect(try await bench.store.historyOfOldItems().map(\.event) == [.checked, .rejected, .checked])
        #expect(try bench.messages.apply(messages) == [.repeated, .repeated, .repeated])
        #expect(try await bench.store.historyOfOldItems().count == 3)
        #expect(try await bench.store.contents().open.map(\.title) == ["Eggs"])
        let reported = bench.reported.all.compactMap { event -> UInt32? in
            if case .applied(let message, _, _) = event { message.sequence } else { nil }
        }
        #expect(reported == [1, 2, 3])
    }

    @Test func `one that cannot be stored holds up those behind it, none before it, and is applied once it can`()
        async throws
    {
        let bench = try WatchBench()
        let items = try await items(bench)
        try await bench.meet(WatchBench.Words())
        try await bench.store.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER fault BEFORE UPDATE ON item WHEN NEW.id = \(items[1])
                    BEGIN SELECT RAISE(ABORT, 'fault'); END
                    """)
        }
        let checks = try checks(bench, items)
        #expect(try bench.messages.apply(checks) == [.applied])
        #expect(try await bench.store.contents().open.map(\.title) == ["Eggs", "Rice"])
        // The host ends here, and begins again: the watch sends what was not acknowledged.
        try await bench.store.write { db in try db.execute(sql: "DROP TRIGGER fault") }
        try await bench.restart()
        #expect(try bench.messages.apply(Array(checks[1...])) == [.applied, .applied])
        #expect(try await bench.store.contents().open.isEmpty)
        #expect(try await bench.store.historyOfOldItems().map(\.event) == [.checked, .checked, .checked])
    }

    @Test func `of changes that are made at the same time one that fails undoes no other`() async throws {
        let bench = try WatchBench()
        let store = bench.store
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 1...60 {
                group.addTask {
                    let made: Void? = try? await store.write { db in
                        try db.execute(
                            cached: "INSERT INTO mailbox (name, payload) VALUES (?, ?)",
                            arguments: ["n\(number)", Data([1])])
                        if number.isMultiple(of: 7) { throw WormholeError.unknownPeer }
                    }
                    return made == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 8)
        #expect(try bench.messages.namesWithValue().count == 52)
    }
}
