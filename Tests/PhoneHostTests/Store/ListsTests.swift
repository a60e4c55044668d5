import Foundation
import GRDB
import TestSupport
import Testing

@testable import PhoneHost

@Suite struct ListsTests {
    let directory: TemporaryDirectory
    let store: PhoneStore

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"))
    }

    @Test func `a list that is added to is made, and the active one stays`() async throws {
        try await store.add(try drafts("Screws"), to: "Hardware")
        let lists = try await store.lists()
        #expect(lists.map(\.name) == ["Shopping", "Hardware"])
        #expect(lists.map(\.isActive) == [true, false])
        #expect(lists.map(\.open) == [0, 1])
        #expect(try await store.contents().items.isEmpty)
    }

    @Test func `the number of open items follows every change`() async throws {
        let items = try await store.add(try drafts("Milk", "Eggs", "Rye", "Tea")).items
        try await store.apply(
            [
                ListEdit(item: items[0].id, action: .check(at: .now)),
                ListEdit(item: items[1].id, action: .remove(at: .now)),
                ListEdit(item: items[2].id, action: .check(at: .now)),
                ListEdit(item: items[2].id, action: .uncheck(at: .now)),
                ListEdit(item: items[0].id, action: .remove(at: .now)),
                ListEdit(item: items[3].id, action: .rename(to: try CleanTitle("Coffee"), at: .now)),
            ], origin: .command)
        #expect(try store.openCount() == 2)
        #expect(try store.openItems().map(\.title) == ["Rye", "Coffee"])
    }

    @Test func `another list can be made the active one`() async throws {
        try await store.add(try drafts("Screws"), to: "Hardware")
        try await store.activate("Hardware")
        #expect(try await store.contents().name == "Hardware")
        try await store.activate("Shopping")
        #expect(try await store.contents().name == "Shopping")
    }

    @Test func `a list that does not exist is an error that names those that do`() async throws {
        await #expect(throws: PhoneError.noSuchList(name: "Nope", known: ["Shopping"])) {
            try await store.contents(of: "Nope")
        }
        await #expect(throws: PhoneError.emptyTitle) { try await store.add(try drafts("x"), to: " \u{1}") }
    }

    @Test func `identifiers are never zero, never small and never used twice`() async throws {
        // A source of random numbers that repeats itself makes every new ID equal to the ID before it.
        let world = SteppedDependencies()
        let repeating = PhoneDependencies(
            now: { world.now }, zone: { _ in 0 },
            random: {
                let word = world.dependencies.random()
                return word & 1 == 0 ? 0x5555_5555_5555_5555 : word
            })
        let store = try PhoneStore(path: directory.file("repeating.sqlite"), dependencies: repeating)
        let items = try await store.add(try drafts(count: 100)).items
        #expect(Set(items.map(\.id)).count == 100)
        #expect(items.allSatisfy { $0.id.rawValue >= 1 << 20 })
    }

    @Test func `an identifier that is in the history is not given again`() async throws {
        let world = SteppedDependencies()
        let constant = PhoneDependencies(
            now: { world.now }, zone: { _ in 0 },
            random: {
                let word = world.dependencies.random()
                return world.now.timeIntervalSince1970 < 1_760_000_001 || word & 1 == 0 ? 0x5555_5555_5555_5555 : word
            })
        let store = try PhoneStore(path: directory.file("constant.sqlite"), dependencies: constant)
        let first = try await store.add(try drafts("Milk")).items[0]
        try await store.apply(ListEdit(item: first.id, action: .remove(at: world.now)), origin: .command)
        world.advance(seconds: 5)
        let second = try await store.add(try drafts("Eggs")).items[0]
        #expect(second.id != first.id)
    }

    @Test func `ranks that run out are closed up in the same order`() async throws {
        try await store.add(try drafts("Milk", "Eggs"))
        try await store.write { try $0.execute(sql: "UPDATE item SET rank = 4294967295 WHERE title = 'Eggs'") }
        try await store.add(try drafts("Rye", "Salt"))
        #expect(try await store.contents().items.map(\.title) == ["Milk", "Eggs", "Rye", "Salt"])
    }

    @Test func `more items than there are ranks are refused in words before anything is written`() async throws {
        let one = try drafts("Milk")[0]
        let error = await #expect(throws: PhoneError.self) {
            try await store.add(Array(repeating: one, count: StoredItem.mostAtOnce + 1), to: "Elsewhere")
        }
        #expect(error == .tooManyItems(count: 4_194_304, list: "Elsewhere", most: 4_194_303))
        #expect(try await store.lists().map(\.name) == ["Shopping"])
        try await store.add(try drafts("Eggs"))
        #expect(try await store.contents().items.map(\.title) == ["Eggs"])
    }

    @Test(arguments: [UInt32.max, UInt32.max - 1_024, UInt32.max - 1_023, 0])
    func `an item is added after one of any rank`(rank: UInt32) async throws {
        try await store.add(try drafts("Milk", "Eggs"))
        try await store.write { try $0.execute(sql: "UPDATE item SET rank = ?", arguments: [rank]) }
        let order = try await store.contents().items.map(\.title)
        try await store.add(try drafts("Rye"))
        #expect(try await store.contents().items.map(\.title) == order + ["Rye"])
        #expect(Set(try await store.contents().items.map(\.rank)).count >= (rank > .max - 1_024 ? 3 : 2))
    }

    @Test func `history can be asked for by list and by number`() async throws {
        let shopping = try await store.add(try drafts("Milk", "Eggs")).items
        let hardware = try await store.add(try drafts("Screws"), to: "Hardware").items
        let now = Date(timeIntervalSince1970: 0)
        for item in shopping + hardware {
            try await store.apply(ListEdit(item: item.id, action: .check(at: now)), origin: .command)
        }
        #expect(try await store.historyOfOldItems().map(\.title) == ["Milk", "Eggs", "Screws"])
        #expect(try await store.history(of: "Shopping", events: [.checked]).map(\.title) == ["Milk", "Eggs"])
        #expect(try await store.history(limit: 2).map(\.title) == ["Eggs", "Screws"])
        #expect(try await store.history(limit: 0).isEmpty)
    }
}
