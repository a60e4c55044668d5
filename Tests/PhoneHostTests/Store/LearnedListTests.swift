import Foundation
import GRDB
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct LearnedListTests {
    let directory: TemporaryDirectory
    let world = SteppedDependencies()
    let store: PhoneStore

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"), dependencies: world.dependencies)
    }

    /// Adds items to a list and checks them off in this order, one each minute. Then advances the clock by an hour, so
    /// that the trip is over.
    private func shop(_ titles: String..., list: String? = nil) async throws {
        let drafts = try titles.map { ItemDraft(title: try CleanTitle($0)) }
        for item in try await store.add(drafts, to: list).items { try await check(item.id) }
        world.advance(seconds: 3_600)
    }

    private func check(_ item: ItemIdentifier, origin: Origin = .command) async throws {
        world.advance(seconds: 60)
        try await store.apply(ListEdit(item: item, action: .check(at: world.now)), origin: origin)
    }

    private func open(_ list: String? = nil) async throws -> [String] {
        try await store.contents(of: list).open.map(\.title)
    }

    private func makeEssaysTrips() async throws {
        try await shop("Avocados", "Eggs", "Milk")
        try await shop("Kale", "Carrots", "Onions", "Bell Peppers", "Avocados")
    }

    @Test func `the essays' example: with Eggs and Kale added, Kale is row 1`() async throws {
        try await makeEssaysTrips()
        try await store.add(try drafts("Eggs"))
        try await store.add(try drafts("Kale"))
        #expect(try await open() == ["Kale", "Eggs"])
        #expect(try await store.order().learned.count == 7)
    }

    @Test func `without a trip items stay in the order in which they were added`() async throws {
        try await shop("Milk", "Eggs")
        try await store.add(try drafts("Eggs", "Bread", "Milk"))
        #expect(try await open() == ["Eggs", "Bread", "Milk"])
    }

    @Test func `an item that is put back goes where it was, or where its store has it now`() async throws {
        try await makeEssaysTrips()
        try await store.add(try drafts("Onions", "Eggs", "Kale"))
        let kale = try await store.contents().open[0]
        try await check(kale.id)
        try await store.apply(ListEdit(item: kale.id, action: .uncheck(at: world.now)), origin: .command)
        #expect(try await open() == ["Kale", "Onions", "Eggs"])
        let milk = try #require(try await store.contents().checked.first { $0.title == "Milk" })
        try await store.apply(ListEdit(item: milk.id, action: .uncheck(at: world.now)), origin: .command)
        #expect(try await open() == ["Kale", "Onions", "Eggs", "Milk"])
    }

    @Test func `a past item that a watch adds by itself is where the phone would put it`() async throws {
        try await makeEssaysTrips()
        try await store.add(try drafts("Eggs"))
        // The feed lists the likeliest items first. An item's rank gives the item's place in the list after the watch
        // adds it.
        _ = try await store.feed([])
        let payload = try #require(try await store.read { try LatestStore.published($0, .past) })
        let eggs = try await store.read { db in
            try UInt32.fetchOne(db, sql: "SELECT rank FROM item WHERE checkedAt IS NULL")
        }
        var rows = PastFeed(payload: payload).rows.map { (title: $0.title.text, rank: $0.rank) }
        rows.append(("Eggs", try #require(eggs)))
        #expect(Set(rows.map(\.rank)).count == rows.count)
        let sorted = rows.sorted { $0.rank < $1.rank }.map(\.title)
        #expect(sorted == ["Kale", "Carrots", "Onions", "Bell Peppers", "Avocados", "Eggs", "Milk"])
        // The phone's list has not changed.
        #expect(try await open() == ["Eggs"])
    }

    @Test func `a damaged order, and one that is missing, are learned again`() async throws {
        try await makeEssaysTrips()
        try await store.add(try drafts("Milk"))
        let before = try await store.order()
        try await store.write { try $0.execute(sql: "UPDATE learnedOrder SET memory = zeroblob(64)") }
        try await store.add(try drafts("Kale"))
        #expect(try await open() == ["Kale", "Milk"])
        #expect(try await store.order() == before)
        try await store.write { try $0.execute(sql: "DELETE FROM learnedOrder") }
        #expect(try await store.order() == before)
    }

    @Test func `a list that its owner has arranged stays so until they ask`() async throws {
        try await makeEssaysTrips()
        try await store.add(try drafts("Eggs", "Kale", "Milk"))
        #expect(try await open() == ["Kale", "Eggs", "Milk"])
        let moved = try await store.move("milk", to: .number(1), on: nil)
        #expect(moved.item.title == "Milk" && moved.place == 1 && moved.count == 3)
        try await store.add(try drafts("Carrots"))
        let arranged = ["Milk", "Kale", "Eggs", "Carrots"]
        #expect(try await open() == arranged, "a new item is at the end")
        try await shop("Onions", "Salt", "Rice")
        try await store.settleOrder(of: nil)
        #expect(try await open() == arranged, "a trip is over")
        #expect(try await store.order().learned.count == 9, "it was learned from")
        let kale = try await store.contents().open[1].id
        try await check(kale)
        try await store.apply(ListEdit(item: kale, action: .uncheck(at: world.now)), origin: .command)
        _ = try await store.assign(nil, to: "Corner")
        #expect(try await open() == arranged, "an item was put back, and the list has a store")
        #expect(try await store.sortAsLearned(nil) == "Shopping")
        #expect(try await open() == ["Kale", "Carrots", "Eggs", "Milk"])
    }

    @Test(arguments: [
        ("first", "CAB"), ("1", "CAB"), ("2", "ACB"), ("last", "ABC"), ("9", "ABC"), ("before B", "ACB"),
        ("after A", "ACB"), ("before C", "ABC"), ("after C", "ABC"),
    ])
    func `an item is moved to a number, an end or a neighbour`(words: String, result: String) async throws {
        try await store.add(try drafts("A", "B", "C"))
        let before = try await store.contents().items
        let position = try #require(ListPosition(words.split(separator: " ").map(String.init)))
        _ = try await store.move("3", to: position, on: nil)
        #expect(try await open().joined() == result)
        let after = try await store.contents().items
        #expect(after.filter { $0.title != "C" } == before.filter { $0.title != "C" }, "no other rank has changed")
    }

    @Test(arguments: ["", "0", "-1", "soon", "before", "1 2", "first A"])
    func `anything else is no place`(words: String) {
        #expect(ListPosition(words.split(separator: " ").map(String.init)) == nil)
    }

    @Test func `what is offered to watches is known with its reasons, and nothing is stored for that`() async throws {
        try await shop("Bread", "Eggs")
        world.advance(seconds: 7 * 86_400)
        try await shop("bread")
        world.advance(seconds: 7 * 86_400)
        try await store.add(try drafts("Milk"))
        let offer = try await store.offeredPastItems()
        #expect(offer.list == "Shopping" && offer.items.map(\.title) == ["bread", "Eggs"])
        #expect(offer.items.map(\.habit.purchases) == [2, 1])
        // All three days are Thursdays, because the clock starts on Thursday, 2025-10-09.
        #expect(offer.items[0].habit.purchases(onDayOf: offer.time) == 2)
        #expect(Int(offer.items[0].habit.interval / 86_400) == 7)
        #expect(try await store.read { try LatestStore.published($0, .past) } == nil)
        _ = try await store.feed([])
        let published = try #require(try await store.read { try LatestStore.published($0, .past) })
        #expect(PastFeed(payload: published).rows.map(\.title.text) == ["bread", "Eggs"])
        #expect(try await store.offeredPastItems() == offer)
    }

    @Test func `two lists of one shop share its order`() async throws {
        _ = try await store.assign(nil, to: "Corner")
        try await store.add(try drafts("Salt"), to: "Saturday")
        _ = try await store.assign("Saturday", to: "Corner")
        try await makeEssaysTrips()
        try await store.add(try drafts("Eggs", "Kale"), to: "Saturday")
        #expect(try await open("Saturday").filter { $0 != "Salt" } == ["Kale", "Eggs"])
    }

    @Test func `open rows never move in the middle of a trip, and an order learned anew is the same`() async throws {
        let first = Seed.printed(for: "open rows")
        for seed in [first, first &+ 1, first &+ 2] {
            var generator = SplitMix64(seed: seed)
            let store = try PhoneStore(path: directory.file("\(seed).sqlite"), dependencies: world.dependencies)
            var sequence: UInt32 = 0
            for _ in 0..<12 {
                let titles = Set((0..<12).map { _ in "Item \(Int.random(in: 0..<40, using: &generator))" })
                try await store.add(try titles.sorted().map { ItemDraft(title: try CleanTitle($0)) })
                var rows = try await store.contents().open.map(\.id)
                for _ in 0..<Int.random(in: 2...10, using: &generator) where !rows.isEmpty {
                    let item = rows[Int.random(in: 0..<min(4, rows.count), using: &generator)]
                    world.advance(seconds: Double.random(in: 1...400, using: &generator))
                    sequence += 1
                    let tap = WatchTap(
                        watch: 5, epoch: 2, sequence: sequence, tap: sequence,
                        localTime: UInt32(world.now.timeIntervalSince1970))
                    let origin: Origin = generator.once(in: 2) ? .command : .watch(tap)
                    try await store.apply(ListEdit(item: item, action: .check(at: world.now)), origin: origin)
                    _ = try await store.feed([])
                    if generator.once(in: 4) { try await store.add(try drafts("Item \(Int(sequence) % 40)")) }
                    let now = try await store.contents().open.map(\.id)
                    let stayed = rows.filter { $0 != item }
                    #expect(now.filter { stayed.contains($0) } == stayed, "seed \(seed)")
                    rows = now
                }
                world.advance(seconds: 1_000)
                let round = try await store.feed([])
                #expect(round.order == .sorted, "seed \(seed)")
                let shelves = ItemPlacement(try await store.order().learned)
                let places = try await store.contents().open.map { shelves.place(of: ItemKey(title: $0.title)) }
                #expect(shelves.isEmpty || places == places.sorted(), "seed \(seed)")
            }
            let kept = try await store.order()
            try await store.write { try $0.execute(sql: "DELETE FROM learnedOrder") }
            #expect(try await store.order() == kept, "seed \(seed)")
            try store.close()
        }
    }

    @Test func `a host looks again when the trip is over, and sorts then`() async throws {
        try await makeEssaysTrips()
        let items = try await store.add(try drafts("Milk", "Eggs", "Avocados", "Kale", "Salt", "Rice")).items
        for title in ["Milk", "Eggs", "Avocados"] {
            try await check(try #require(items.first { $0.title == title }).id)
        }
        let round = try await store.feed([])
        #expect(round.order == .waiting(until: world.now.addingTimeInterval(901)))
        #expect(round.nextUpdate == world.dependencies.localSeconds(world.now) + 901)
        world.advance(seconds: 901)
        #expect(try await store.feed([]).order == .sorted)
        #expect(try await store.feed([]).order == .present)
    }

    /// If reading sorted the list, a watch would keep the order that it has, and still count as in sync.
    @Test func `to read a list does not sort it: only what is announced to the watches does`() async throws {
        try await makeEssaysTrips()
        let items = try await store.add(try drafts("Milk", "Eggs", "Kale")).items
        try await check(try #require(items.first { $0.title == "Milk" }).id)
        for title in ["Kale", "Eggs"] {
            let item = try #require(items.first { $0.title == title })
            try await store.apply(ListEdit(item: item.id, action: .check(at: world.now)), origin: .command)
            try await store.apply(ListEdit(item: item.id, action: .uncheck(at: world.now)), origin: .command)
        }
        world.advance(seconds: 901)
        let version = try await store.version()
        let reader = try PhoneStore(path: directory.file("phone.sqlite"), dependencies: world.dependencies)
        _ = try await reader.contents()
        _ = try await reader.lists()
        #expect(try await reader.isOrderDue(of: nil))
        #expect(try await store.version() == version)
        try await reader.settleOrder(of: nil)
        #expect(try await store.version() != version)
        #expect(try await !reader.isOrderDue(of: nil))
    }
}
