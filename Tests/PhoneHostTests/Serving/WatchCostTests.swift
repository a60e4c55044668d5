import Foundation
import GRDB
import TestDoubles
import TestSupport
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

/// Tests that the phone limits everything that a watch can make it store.
@Suite struct WatchCostTests {
    private let bench: WatchBench
    private var store: PhoneStore { bench.store }
    private var messages: MessageStore { bench.messages }
    private var watch: PeerIdentity { bench.watch }

    init() throws {
        bench = try WatchBench()
    }

    private func apply(_ content: InboundMessage.Content, sequence: UInt32) async throws -> ApplyOutcome {
        try messages.apply(InboundMessage(peer: watch, epoch: 3, sequence: sequence, content: content))
    }

    private func reload(_ token: UInt32, extent: UInt32? = nil, sequence: UInt32) async throws {
        let payload = try MessageEncoder().encode(FakeWatch.Reload(token: token, extent: extent))
        #expect(try await apply(.queued(MessageName(.reload), payload: payload), sequence: sequence) == .applied)
    }

    private func count(_ sql: String) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }

    @Test func `of the reloads of a watch that does not read, one is answered and the newest waits`() async throws {
        try await store.add(try drafts(count: 2_000))
        try await bench.meet(.init())
        let first = try messages.issued(to: watch).queued
        try await reload(1, extent: 1, sequence: 1)
        let answered = try messages.issued(to: watch).queued
        for number: UInt32 in 2...40 { try await reload(number, extent: 1, sequence: number) }
        _ = try await store.feed([watch])
        #expect(try messages.issued(to: watch).queued == answered, "one answer is in the queue")
        #expect(answered > first)
        try messages.acknowledged(Acknowledgement(queued: answered, latest: 0), by: watch)
        _ = try await store.feed([watch])
        let last = try messages.issued(to: watch).queued
        #expect(last - answered == answered - first, "one answer more")
        var model = WatchModel()
        for number in (answered + 1)...last {
            try model.apply(payload: try #require(try messages.queued(number, to: watch)?.message).payload)
        }
        #expect(model.reloadTokens == [40], "to the newest of the reloads")
        _ = try await store.feed([watch])
        #expect(try messages.issued(to: watch).queued == last)
    }

    @Test func `a reload that waits is answered as soon as the answer before it is acknowledged`() async throws {
        let events = bench.reported
        try await bench.meet(.init())
        try await reload(1, sequence: 1)
        try await reload(2, sequence: 2)
        try messages.acknowledged(Acknowledgement(queued: 1, latest: 0), by: watch)
        #expect(!events.all.contains(.due(watch)))
        let answered = try messages.issued(to: watch).queued
        try messages.acknowledged(Acknowledgement(queued: answered, latest: 0), by: watch)
        #expect(events.all.contains(.due(watch)))
        try messages.acknowledged(Acknowledgement(queued: answered, latest: 0), by: watch)
        #expect(events.all.filter { $0 == .due(watch) }.count == 2, "until it is answered")
        _ = try await store.feed([watch])
        try messages.acknowledged(Acknowledgement(queued: answered, latest: 0), by: watch)
        #expect(events.all.filter { $0 == .due(watch) }.count == 2)
    }

    @Test func `a queue that is full takes no change until it has room`() async throws {
        try await bench.meet(.init())
        for _ in 0..<(FeedStore.mostWaiting + 20) {
            try await store.add(try drafts("Milk"))
            _ = try await store.feed([watch])
        }
        let issued = try messages.issued(to: watch).queued
        #expect(issued == FeedStore.mostWaiting)
        try messages.acknowledged(Acknowledgement(queued: 1, latest: 0), by: watch)
        #expect(bench.reported.all.contains(.due(watch)))
        #expect(try await store.feed([watch]).queued == 1)
        #expect(try messages.issued(to: watch).queued == issued + 1)
    }

    @Test func `a watch can leave 64 names with values and no more`() async throws {
        try await bench.meet(.init())
        let own = try messages.namesWithValue().count
        for number in 1...UInt32(LatestStore.mostNames + 20) {
            let outcome = try await apply(.latest(try MessageName("name \(number)"), payload: [0x01]), sequence: number)
            let isKept = Int(number) + own <= LatestStore.mostNames
            #expect(outcome == (isKept ? .applied : .rejected(.noRoom)))
        }
        #expect(try messages.namesWithValue().count == 64)
        #expect(try await apply(.latest("name 1", payload: [0x02]), sequence: 100) == .applied, "a known name is kept")
        #expect(try await apply(.cleared("name 1"), sequence: 101) == .applied)
        #expect(try await apply(.latest("another", payload: [0x02]), sequence: 102) == .applied)
    }

    @Test func `of check-offs without an effect the newest thousand of a watch are in the history`() async throws {
        let item = try await store.add(try drafts("Milk")).items[0].id.rawValue
        try await bench.meet(.init())
        let known = try MessageEncoder().encode(FakeWatch.Check(item: item, localTime: 5, tap: 1))
        let unknown = try MessageEncoder().encode(FakeWatch.Check(item: 77, localTime: 5, tap: 1))
        let most = UInt32(History.mostWithoutEffect)
        for number in 1...(most + 50) {
            _ = try await apply(
                .queued(MessageName(.check), payload: number % 2 == 0 ? unknown : known), sequence: number)
        }
        let kept = try await store.historyOfOldItems().filter { $0.event == .repeated || $0.event == .rejected }
        #expect(kept.count == 1_000)
        #expect(kept.compactMap(\.origin.tap?.sequence).max() == most + 50)
        #expect(
            try await store.historyOfOldItems().filter { $0.event == .checked }.count == 1, "what had an effect stays")
    }

    @Test func `of the watches of local sockets 256 are known, and the one that was away longest goes`() async throws {
        for number in 1...260 {
            bench.world.advance(seconds: 1)
            let peer = PeerIdentity(rawValue: UInt64(number))
            try await bench.meet(.init(identity: peer))
            try await store.write { db in
                let tap = WatchTap(watch: peer.rawValue, epoch: 3, sequence: 1, tap: 1, localTime: nil)
                try History.insert(
                    db, .rejected, ItemIdentifier(rawValue: 77), known: nil, at: .now, origin: .watch(tap))
            }
        }
        #expect(try messages.peers().map(\.rawValue) == Array(5...260))
        let forgotten = bench.reported.all.compactMap { event -> UInt64? in
            guard case .noticed(let news) = event, news.notice == .forgotten else { return nil }
            return news.watch.rawValue
        }
        #expect(forgotten == [1, 2, 3, 4])
        let silent = try await store.historyOfOldItems().filter { $0.event == .rejected }
        #expect(Set(silent.compactMap(\.origin.tap?.watch)) == Set(5...260), "what had no effect goes with its watch")
        for (table, column) in [("message", "peer"), ("watch", "identity")] {
            #expect(
                try await count("SELECT count(*) FROM \(table) WHERE \(column) NOT IN (SELECT identity FROM peer)") == 0
            )
        }
    }
}
