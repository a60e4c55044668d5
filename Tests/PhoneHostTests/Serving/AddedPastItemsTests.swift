import CalDAV
import Foundation
import TestDoubles
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

struct AddedPastItemsTests {
    private let bench: WatchBench
    private let other = PeerIdentity(rawValue: 0xF00D_0000_0000_0002)

    init() async throws {
        bench = try WatchBench()
        let items = try await bench.store.add([ItemDraft(title: try CleanTitle("Milk"))]).items
        try await bench.store.apply(ListEdit(item: items[0].id, action: .check(at: bench.world.now)), origin: .command)
        try await bench.meet(WatchBench.Words())
        try await bench.meet(WatchBench.Words(identity: other))
        try await bench.feed()
    }

    /// Returns the number under which the phone now offers a past item to the watches.
    private func offered(_ title: String) async throws -> UInt32 {
        let name = MessageName(.past)
        let payload = try #require(try bench.messages.currentValue(under: name))
        return try #require(PastFeed(payload: payload).rows.first { $0.title.text == title }).id
    }

    private func add(_ item: UInt32, _ sequence: UInt32, on watch: PeerIdentity) async throws {
        bench.world.advance(seconds: 60)
        #expect(try await add(item, sequence, on: watch, at: now) == .applied)
    }

    private func add(
        _ item: UInt32, _ sequence: UInt32, on watch: PeerIdentity, at time: UInt32
    ) async throws -> ApplyOutcome {
        let payload = try MessageEncoder().encode(FakeWatch.Check(item: item, localTime: time, tap: 0))
        let outcome: ApplyOutcome = try bench.messages.apply(
            InboundMessage(
                peer: watch, epoch: 3, origin: nil, sequence: sequence,
                content: .queued(MessageName(.add), payload: payload)))
        try await bench.feed()
        return outcome
    }

    private var now: UInt32 { bench.world.dependencies.localSeconds(bench.world.now) }

    private func remove(_ item: UInt32) async throws {
        bench.world.advance(seconds: 60)
        let edit = ListEdit(item: ItemIdentifier(rawValue: item), action: .remove(at: bench.world.now))
        #expect(try await bench.store.apply(edit, origin: .command) == .changed)
        try await bench.feed()
    }

    private var open: [String] { get async throws { try await bench.store.contents().open.map(\.title) } }

    @Test func `A watch that was away adds an item under its number of before: it is on the list once`() async throws {
        let first = try await offered("Milk")
        try await add(first, 1, on: bench.watch)
        #expect(try await open == ["Milk"])
        bench.world.advance(seconds: 60)
        try await bench.check(first, 2, run: 3)
        try await bench.feed()
        let second = try await offered("Milk")
        #expect(second != first)
        try await add(second, 3, on: bench.watch)
        try await add(first, 1, on: other)
        #expect(try await open == ["Milk"])
        #expect(try await bench.store.history().last?.event == .repeated)
    }

    @Test
    func `A phone that was put back to a copy from before its first offer takes back what a watch was offered since`()
        async throws
    {
        let bench = try WatchBench()
        try await bench.meet(WatchBench.Words())
        try await bench.feed()
        #expect(try bench.messages.currentValue(under: MessageName(.past)) == nil)
        try await bench.meet(WatchBench.Words(knows: 7, valuesApplied: 9, identity: other))
        let payload = try #require(try bench.messages.currentValue(under: MessageName(.past)))
        #expect(PastFeed(payload: payload).rows.isEmpty)
    }

    enum Step {
        /// The watch `bench.watch` adds the item at once. The watch `other` was away, and adds the item late.
        case add, addLate
        case check
        case remove
        /// The owner adds an item with this title on the phone.
        case type(String)
    }

    @Test(
        arguments: [
            ([.add, .check, .addLate], ["Milk"], .unchecked), ([.add, .remove, .addLate], ["Milk"], .added),
            ([.add, .check, .remove, .addLate], ["Milk"], .added),
            ([.add, .remove, .addLate, .check], [], .checked),
            ([.add, .remove, .type("milk"), .addLate], ["milk"], .repeated),
        ] as [([Step], [String], HistoryEntry.Event)])
    func `an item that was bought or removed since is on the list once where a watch adds it later`(
        steps: [Step], expected: [String], last: HistoryEntry.Event
    ) async throws {
        let number = try await offered("Milk")
        var sequence: UInt32 = 0
        for step in steps {
            sequence += 1
            switch step {
            case .add: try await add(number, sequence, on: bench.watch)
            case .addLate: try await add(number, 1, on: other)
            case .check:
                bench.world.advance(seconds: 60)
                try await bench.check(number, sequence, run: 3)
            case .remove: try await remove(number)
            case .type(let title): try await bench.store.add(try drafts(title))
            }
        }
        #expect(try await open == expected)
        #expect(try await bench.store.history().last?.event == last)
    }

    @Test func `an item that is removed after a watch has added it stays removed`() async throws {
        let number = try await offered("Milk")
        try await add(number, 1, on: bench.watch)
        let before = now
        try await remove(number)
        #expect(try await add(number, 1, on: other, at: before) == .rejected(.refused))
        #expect(try await open == [])
    }

    @Test func `a check-off of an added item is one of the owner's item of the same title`() async throws {
        let number = try await offered("Milk")
        try await bench.store.add([ItemDraft(title: try CleanTitle("milk"))])
        try await add(number, 1, on: bench.watch)
        #expect(try await bench.check(number, 2, run: 3) == .applied)
        #expect(try await open == [])
        #expect(try await bench.check(number, 3, run: 3) == .rejected(.refused))
    }

    @Test func `a late check-off of a removed item is none of a newer item of its title`() async throws {
        let number = try await offered("Milk")
        try await add(number, 1, on: bench.watch)
        try await bench.check(number, 2, run: 3)
        try await bench.check(number, 3, run: 3)
        try await remove(number)
        try await bench.store.add([ItemDraft(title: try CleanTitle("Milk"))])
        #expect(try await bench.check(number, 4, run: 3) == .rejected(.refused))
        #expect(try await open == ["Milk"])
    }

    @Test func `an item that is added again stays, although a calendar server has deleted it and the answer was lost`()
        async throws
    {
        let server = InMemoryCalendarServer()
        let place = try WebAddress("http://localhost\(InMemoryCalendarServer.path)")
        var account = CalendarAccount(address: place.text, user: "ann", certificate: nil, place: .collection(place))
        account.number = try await bench.store.add(account)
        let sync = AccountSync(bench.store, account, over: server, password: "secret")
        try await bench.store.activate("Food")
        let item = try await bench.store.add([ItemDraft(title: try CleanTitle("Eggs"))]).items[0].id
        try await bench.store.apply(ListEdit(item: item, action: .check(at: bench.world.now)), origin: .command)
        try await bench.feed()
        let number = try await offered("Eggs")
        try await add(number, 1, on: bench.watch)
        _ = try await sync.run()
        try await remove(number)
        server.fail(.lostAnswer, .delete)
        _ = try await sync.run()
        #expect(server.items.count == 1)
        try await add(number, 1, on: other)
        _ = try await sync.run()
        #expect(try await open == ["Eggs"])
        #expect(server.items.count == 2)
    }
}
