import Foundation
import GRDB
import TestSupport
import Testing

@testable import PhoneHost

@Suite struct ItemEditsTests {
    let directory: TemporaryDirectory
    let world = SteppedDependencies()
    let store: PhoneStore

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"), dependencies: world.dependencies)
    }

    private func tap(_ sequence: UInt32) -> Origin {
        .watch(WatchTap(watch: 0xF000_0000_0000_0001, epoch: 3, sequence: sequence, tap: sequence, localTime: 99))
    }

    @Test func `a check-off changes the item and is in the history`() async throws {
        let item = try await store.add(try drafts("Milk")).items[0]
        world.advance(seconds: 60)
        let outcome = try await store.apply(ListEdit(item: item.id, action: .check(at: world.now)), origin: .command)
        #expect(outcome == .changed)
        #expect(try await store.contents().items[0].state == .checked(at: world.now))
        let history = try await store.historyOfOldItems()
        #expect(history.map(\.event) == [.checked])
        #expect(history[0].title == "Milk" && history[0].list == "Shopping" && history[0].time == world.now)
        #expect(history[0].origin == .command)
    }

    @Test func `the newest check-off is the last one, also after a clock was in the future`() async throws {
        let items = try await store.add(try drafts("Milk", "Eggs")).items
        world.advance(seconds: 1_000_000)
        try await store.apply(ListEdit(item: items[0].id, action: .check(at: world.now)), origin: .command)
        world.advance(seconds: -900_000)
        try await store.apply(ListEdit(item: items[1].id, action: .check(at: world.now)), origin: .command)
        let now = world.now
        let newest = try await store.read {
            try History.lastCheckOff($0, of: try ListRecord.find($0, name: nil), now: now)
        }
        #expect(newest == now)
    }

    @Test func `unchecking puts the item back where it was`() async throws {
        let items = try await store.add(try drafts("Milk", "Eggs", "Rye")).items
        try await store.apply(ListEdit(item: items[1].id, action: .check(at: world.now)), origin: .command)
        try await store.apply(ListEdit(item: items[1].id, action: .uncheck(at: world.now)), origin: .phone)
        #expect(try await store.contents().open.map(\.title) == ["Milk", "Eggs", "Rye"])
        #expect(try await store.historyOfOldItems().map(\.event) == [.checked, .unchecked])
    }

    @Test func `removing takes the item away and keeps what happened to it`() async throws {
        let item = try await store.add(try drafts("Milk")).items[0]
        try await store.apply(ListEdit(item: item.id, action: .check(at: world.now)), origin: .command)
        try await store.apply(ListEdit(item: item.id, action: .remove(at: world.now)), origin: .command)
        #expect(try await store.contents().items.isEmpty)
        #expect(try await store.historyOfOldItems().map(\.title) == ["Milk", "Milk"])
    }

    @Test func `a watch that checks off what is checked off already is in the history, a command is not`() async throws
    {
        let item = try await store.add(try drafts("Milk")).items[0]
        let edit = ListEdit(item: item.id, action: .check(at: world.now))
        try await store.apply(edit, origin: .command)
        #expect(try await store.apply(edit, origin: .command) == .unchanged)
        #expect(try await store.apply(edit, origin: tap(1)) == .unchanged)
        #expect(try await store.historyOfOldItems().map(\.event) == [.checked, .repeated])
    }
    @Test func `several edits are made all or none`() async throws {
        let items = try await store.add(try drafts("Milk", "Eggs")).items
        try await store.apply(ListEdit(item: items[0].id, action: .check(at: world.now)), origin: tap(1))
        await #expect(throws: PhoneError.self) {
            try await store.apply(
                items.map { ListEdit(item: $0.id, action: .remove(at: world.now)) }, origin: tap(1))
        }
        #expect(try await store.contents().items.count == 2)
    }

    @Test(arguments: [
        "INSERT INTO item (id, list, rank, title, addedAt) VALUES (0, 1, 1, 'zero', 0)",
        "INSERT INTO item (id, list, rank, title, addedAt) VALUES (4294967296, 1, 1, 'big', 0)",
        "INSERT INTO item (id, list, rank, title, addedAt) VALUES (5, 1, 1, '', 0)",
        "INSERT INTO item (id, list, rank, title, addedAt) VALUES (5, 9, 1, 'no list', 0)",
        "INSERT INTO item (id, list, rank, title, addedAt) VALUES (5, 1, -1, 'rank', 0)",
        "INSERT INTO host (number, activeList) VALUES (2, 1)", "UPDATE host SET activeList = 9", "DELETE FROM list",
        "INSERT INTO list (name, changedAt) VALUES ('Shopping', 0)",
        "INSERT INTO history (event, item, at, origin) VALUES ('checked', 1, 0, 'watch')",
    ])
    func `the schema refuses what makes no sense`(statement: String) async throws {
        await #expect(throws: PhoneError.self) { try await store.write { try $0.execute(sql: statement) } }
    }
}
