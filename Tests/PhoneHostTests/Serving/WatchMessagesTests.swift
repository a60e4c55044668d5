import Foundation
import TestDoubles
import TestSupport
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

@Suite struct WatchMessagesTests {
    private let bench: WatchBench
    private var store: PhoneStore { bench.store }
    private var messages: MessageStore { bench.messages }
    private var watch: PeerIdentity { bench.watch }

    init() throws {
        bench = try WatchBench()
    }

    private func check(_ item: UInt32, sequence: UInt32) async throws -> ApplyOutcome {
        try await bench.check(item, sequence, run: 3)
    }

    private func apply(_ content: InboundMessage.Content, sequence: UInt32) throws -> ApplyOutcome {
        try messages.apply(InboundMessage(peer: watch, epoch: 3, sequence: sequence, content: content))
    }

    @Test func `a new watch gets an epoch and the list from a clear on`() async throws {
        try await store.add(try drafts("Milk", "Eggs"))
        let streams = try await bench.meet(.init())
        #expect(streams.epoch == 51)
        #expect(streams.positions.queuedIssued == 1)
        let model = try await bench.applied(from: 1)
        #expect(model.titles == ["Milk", "Eggs"] && model.clears == 1)
        #expect(try messages.peers() == [watch])
    }

    @Test func `a watch that comes back is given what it lacks and no more`() async throws {
        try await store.add(try drafts("Milk", "Eggs"))
        try await bench.meet(.init())
        let before = try await bench.applied(from: 1)
        try await store.add(try drafts("Rye"))
        #expect(try messages.issued(to: watch).queued == 1, "nothing is queued for a watch that is away")
        let streams = try await bench.meet(.init(knows: 51, queuedApplied: 1))
        #expect(streams.epoch == 51)
        #expect(streams.positions.queuedIssued == 2 && streams.positions.queuedAcknowledged == 1)
        let model = try await bench.applied(before, from: 2)
        #expect(model.titles == ["Milk", "Eggs", "Rye"] && model.clears == 1)
    }

    @Test func `a check-off is applied once, however often it comes`() async throws {
        let item = try await store.add(try drafts("Milk", "Eggs")).items[0].id.rawValue
        try await bench.meet(.init())
        for _ in 0..<3 { #expect(try await check(item, sequence: 1) == .applied) }
        #expect(try await store.historyOfOldItems().map(\.event) == [.checked])
        #expect(try await store.contents().open.map(\.title) == ["Eggs"])
        let tap = WatchTap(watch: watch.rawValue, epoch: 3, sequence: 1, tap: 1, localTime: 5)
        #expect(try await store.historyOfOldItems()[0].origin == .watch(tap))
    }

    @Test func `a check-off of an unknown item is refused, counted and in the history`() async throws {
        try await bench.meet(.init())
        #expect(try await check(123, sequence: 1) == .rejected(.refused))
        #expect(
            try await check(123, sequence: 1) == .applied, "it is done with, so it comes to nothing the second time")
        #expect(try await store.historyOfOldItems().map(\.event) == [.rejected])
    }

    @Test func `a program that takes nothing bounds what waits for it, and the rest is rejected`() async throws {
        try await bench.meet(.init())
        for sequence in 1...1_024 as ClosedRange<UInt32> {
            #expect(try apply(.queued("elsewhere", payload: [0x01]), sequence: sequence) == .applied)
        }
        #expect(try apply(.queued("elsewhere", payload: [0x01]), sequence: 1_025) == .rejected(.noRoom))
        #expect(try await messages.inbox(after: 0).count == 1_024)
    }

    @Test func `what cannot be read or is not known is refused and blocks nothing`() async throws {
        let item = try await store.add(try drafts("Milk")).items[0].id.rawValue
        try await bench.meet(.init())
        #expect(try apply(.queued(MessageName(.check), payload: [0x01]), sequence: 1) == .rejected(.malformed))
        #expect(try apply(.queued(MessageName(.check), payload: []), sequence: 2) == .rejected(.malformed))
        #expect(try apply(.queued(MessageName(.reload), payload: [0xFF]), sequence: 3) == .rejected(.malformed))
        #expect(try apply(.queued(MessageName(.list), payload: [0x01]), sequence: 4) == .rejected(.unknownName))
        #expect(try apply(.nothing(.queued), sequence: 5) == .applied)
        #expect(try await check(item, sequence: 6) == .applied)
        #expect(try await store.contents().open.isEmpty)
    }

    @Test func `a watch that never said hello changes nothing`() async throws {
        let item = try await store.add(try drafts("Milk")).items[0].id.rawValue
        await #expect(throws: WormholeError.self) { try await check(item, sequence: 1) }
        #expect(try await store.contents().open.count == 1)
    }

    @Test func `only the watches that are named are fed`() async throws {
        try await bench.meet(.init())
        try await store.add(try drafts("Milk"))
        #expect(try await store.feed([]).queued == 0)
        #expect(try messages.issued(to: watch).queued == 1)
        #expect(try await store.feed([watch]).queued == 1)
        #expect(try await store.feed([watch]).queued == 0)
    }

    @Test func `title and time line are published when they change and not otherwise`() async throws {
        try await store.add(try drafts("Milk"))
        try await bench.meet(.init())
        let first = try messages.issued(to: watch).latest
        try await bench.meet(.init(knows: 51, queuedApplied: 1))
        #expect(try messages.issued(to: watch).latest == first)
        try await store.add(try drafts("Eggs"))
        #expect(try await store.feed([watch]).queued == 1)
        let value = try #require(try messages.value(after: first, for: watch))
        #expect(value.name == MessageName(.complication))
        #expect(try messages.value(after: value.revision, for: watch) == nil)
        #expect(try messages.namesWithValue() == [MessageName(.complication), MessageName(.title)])
    }

    @Test func `the title tells the list's name and the last trip in the wearer's zone`() async throws {
        let zone = try #require(TimeZone(secondsFromGMT: 7_200))
        let world = SteppedDependencies(zone: zone)
        let store = try PhoneStore(path: bench.directory.file("zone.sqlite"), dependencies: world.dependencies)
        let item = try await store.add(try drafts("Milk")).items[0].id
        try await store.apply(ListEdit(item: item, action: .check(at: world.now)), origin: .command)
        _ = try await store.feed([])
        let payload = try #require(try MessageStore(store).currentValue(under: MessageName(.title)))
        var reader = CBORReader(payload.span)
        let title = try TitleMessage(from: &reader)
        #expect(title.listName.text == "Shopping")
        let local: UInt32 = 1_760_000_000 + 7_200
        #expect(title.lastTrip == local)
    }

    @Test func `a change of the list that a watch refuses makes it start with a clear`() async throws {
        try await store.add(try drafts("Milk"))
        try await bench.meet(.init())
        var rejected = RejectionList()
        rejected.append(Rejection(sequence: 1, reason: .noRoom))
        var word = Acknowledgement(queued: 1, latest: 0)
        word.rejected = rejected
        try messages.acknowledged(word, by: watch)
        #expect(try await store.feed([watch]).queued == 1)
        #expect(try await bench.applied(from: 2).clears == 1)
    }
}
