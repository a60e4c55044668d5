import Foundation
import GRDB
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

@Suite struct ComplicationPublishingTests {
    private let bench: WatchBench
    private var world: SteppedDependencies { bench.world }
    private var store: PhoneStore { bench.store }

    init() throws {
        bench = try WatchBench()
    }

    private var now: UInt32 { world.dependencies.localSeconds(world.now) }

    private func timeline() async throws -> ComplicationTimeline {
        let payload = try await store.read { try LatestStore.published($0, .complication) }
        return try ComplicationTimeline(payload: try #require(payload))
    }

    private func texts() async throws -> [String] { try await timeline().entries.map(\.text.text) }

    private func revision() async throws -> UInt32 { try await store.read { try ValueTable.newestRevision($0) } }

    @discardableResult
    private func add(
        _ text: String, in start: TimeInterval = 0, for length: TimeInterval? = nil, relevance: UInt8 = 150,
        push: FaceNote.Push = .wanted
    ) async throws -> Int64 {
        let begin = world.now.addingTimeInterval(start)
        return try await store.add(
            try NoteDraft(
                text, start: begin, end: length.map(begin.addingTimeInterval), relevance: relevance, push: push)
        ).number
    }

    /// Returns the delivery of each queued push. A push makes the watch show a new time line at once.
    private func pushes() async throws -> [Delivery] {
        try bench.messages.outstanding().filter { $0.name == MessageName(.complication) }.map(\.delivery)
    }

    private func acknowledgeAll() async throws { try await bench.acknowledge(try await bench.issued) }

    private func addTwenty() async throws {
        for number in 1...20 { try await add("Note \(number)", in: Double(number) * 600, for: 300, push: .never) }
    }

    @Test func `nothing is published again while nothing changes but the time`() async throws {
        let items = try await store.add(try drafts("Milk")).items
        try await bench.meet(WatchBench.Words())
        try await store.apply(ListEdit(item: items[0].id, action: .check(at: world.now)), origin: .command)
        try await add("A", in: 600, for: 600, push: .never)
        try await bench.feed()
        let before = try await revision()
        for _ in 0..<40 {
            world.advance(seconds: 97)
            try await bench.feed()
        }
        #expect(try await revision() == before)
        #expect(try await texts().count > 10)
    }

    @Test func `a change of the list is published at once`() async throws {
        try await store.add(try drafts("Milk"))
        try await bench.meet(WatchBench.Words())
        #expect(try await texts() == ["Milk"])
        #expect(try await store.feed([]).nextUpdate == nil)
        try await store.apply(
            ListEdit(item: try await store.contents().items[0].id, action: .check(at: world.now)), origin: .command)
        try await bench.feed()
        #expect(try await texts().first == "Trip just now")
        #expect(try await pushes().isEmpty)
    }

    @Test func `the time line goes on as entries become past, at most once in ten minutes`() async throws {
        try await store.add(try drafts("Milk"))
        try await addTwenty()
        try await bench.meet(WatchBench.Words())
        #expect(try await timeline().entries.count == 16)
        var extensions: [UInt32] = []
        var before = try await revision()
        let begin = now
        for _ in 0..<110 {
            world.advance(seconds: 120)
            let look = try await store.feed([]).nextUpdate
            #expect(look.map { $0 > now } ?? true)
            guard try await revision() != before else { continue }
            before = try await revision()
            extensions.append(now - begin)
            #expect(try await timeline().entries.count == 16 || extensions.count > 10)
        }
        #expect(extensions.count > 5)
        #expect(zip(extensions, extensions.dropFirst()).allSatisfy { $1 - $0 >= 600 }, "\(extensions)")
        #expect(try await texts().last == "Milk")
    }

    @Test func `a round is due when the time line can go on`() async throws {
        try await store.add(try drafts("Milk"))
        try await addTwenty()
        try await bench.meet(WatchBench.Words())
        var looked = 0
        while let look = try await store.feed([]).nextUpdate {
            #expect(look > now)
            world.advance(seconds: Double(max(look, now + 1) - now))
            looked += 1
            try #require(looked < 60)
        }
        let last = try #require(try await timeline().entries.last)
        #expect(last.text.text == "Milk" && last.expires == nil, "the whole plan is published")
    }

    @Test func `the pause after an extension is kept over a restart`() async throws {
        try await store.add(try drafts("Milk"))
        try await addTwenty()
        try await bench.meet(WatchBench.Words())
        world.advance(seconds: 960)
        try await bench.feed()
        let before = try await revision()
        world.advance(seconds: 300)
        try await bench.restart()
        try await bench.feed()
        #expect(try await revision() == before)
        world.advance(seconds: 300)
        try await bench.feed()
        #expect(try await revision() == before + 1)
    }

    @Test func `a note that is current is pushed once, charged to the budget`() async throws {
        try await store.add(try drafts("Milk"))
        try await bench.meet(WatchBench.Words())
        try await acknowledgeAll()
        try await add("Shop closes", for: 600)
        #expect(try await store.feed([]).recipients == nil, "there is something for every watch")
        #expect(try await texts().first == "Shop closes")
        #expect(try await pushes() == [.complication])
        let sequence = try await bench.issued
        let queued = try #require(try bench.messages.queued(sequence, to: bench.watch))
        #expect(
            queued
                == .message(
                    OutboundMessage(name: MessageName(.complication), payload: [0xA1, 0x00, 0x80]), .complication))
        let budget = try bench.messages.complicationBudget(of: bench.watch)
        #expect(budget.remaining(on: world.dependencies.localDay, of: 50) == 49)
        try await bench.feed()
        #expect(try await bench.issued == sequence)
        #expect(try await store.face().notes.map(\.push) == [.queued])
    }

    @Test func `a note of later is pushed when it is current, and a round is due then`() async throws {
        try await store.add(try drafts("Milk"))
        try await bench.meet(WatchBench.Words())
        try await add("Later", in: 3_600, for: 600)
        let look = try #require(try await store.feed([]).nextUpdate)
        #expect(look > now + 3_500 && look <= now + 3_600)
        #expect(try await pushes().isEmpty)
        world.advance(seconds: Double(look - now))
        try await bench.feed()
        #expect(try await pushes() == [.complication])
    }

    @Test func `a note that is not what the face shows is not pushed, nor one that wants no push`() async throws {
        try await store.add(try drafts("Milk"))
        try await bench.meet(WatchBench.Words())
        try await add("Quiet", for: 600, push: .never)
        try await add("Less than the list", for: 1_200, relevance: 90)
        try await bench.feed()
        #expect(try await pushes().isEmpty)
        #expect(try await store.face().notes.map(\.push) == [.never, .wanted])
    }

    @Test func `one push waits for a watch that is away, whatever is added`() async throws {
        try await store.add(try drafts("Milk"))
        try await bench.meet(WatchBench.Words())
        for number in 1...5 {
            try await add("Note \(number)", for: 3_600)
            try await bench.feed()
        }
        #expect(try await pushes() == [.complication])
    }

    @Test func `a note that is removed goes from the time line`() async throws {
        try await bench.meet(WatchBench.Words())
        #expect(try await timeline().entries.isEmpty)
        let note = try await add("Note")
        try await bench.feed()
        #expect(try await texts() == ["Note"])
        _ = try await store.removeNotes([note])
        try await bench.feed()
        #expect(try await timeline().entries.isEmpty)
    }

    @Test func `the usual trip is announced when the list is empty`() async throws {
        for _ in 0..<3 {
            let item = try await store.add(try drafts("Milk")).items[0]
            try await store.apply(ListEdit(item: item.id, action: .check(at: world.now)), origin: .command)
            world.advance(seconds: 7 * 86_400)
        }
        world.advance(seconds: -6 * 3_600)
        try await bench.meet(WatchBench.Words())
        // The trips were on Thursdays at 08:53.
        #expect(try await texts().first == "Usual trip Thu 09:00")
        #expect(try await store.feed([]).nextUpdate == now + 86_400)
        try await store.add(try drafts("Eggs"))
        try await bench.feed()
        #expect(try await texts() == ["Eggs"])
    }
}
