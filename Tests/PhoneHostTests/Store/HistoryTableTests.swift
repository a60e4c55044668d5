import Foundation
import GRDB
import TestSupport
import Testing

@testable import PhoneHost

@Suite struct HistoryTableTests {
    let directory: TemporaryDirectory
    let world = SteppedDependencies()
    let path: String

    init() throws {
        directory = TemporaryDirectory()
        path = directory.file("phone.sqlite")
    }

    private func open() throws -> PhoneStore {
        try PhoneStore(path: path, dependencies: world.dependencies)
    }

    @Test func `the table refuses what is no entry`() async throws {
        let store = try open()
        let entry = "(event, item, at, origin, watch, epoch, sequence) VALUES ('checked', 1, 1, 'watch', -5, 3, 1)"
        try await store.write { try $0.execute(sql: "INSERT INTO history \(entry)") }
        let wrong = [
            // These are a check-off that is there already, an unknown list, and a renaming without the former title.
            // The next two have a value that does not fit the event. The last has an unknown event.
            entry,
            "(event, item, at, origin, list) VALUES ('checked', 1, 1, 'command', 99)",
            "(event, item, at, origin) VALUES ('renamed', 1, 1, 'command')",
            "(event, item, at, origin, formerTitle) VALUES ('added', 1, 1, 'command', 'x')",
            "(event, item, at, origin, note) VALUES ('renamed', 1, 1, 'command', 'x')",
            "(event, item, at, origin) VALUES ('eaten', 1, 1, 'command')",
        ]
        for values in wrong {
            await #expect(throws: PhoneError.self, "\(values)") {
                try await store.write { try $0.execute(sql: "INSERT INTO history \(values)") }
            }
        }
    }

    @Test func `what is added is in the history, with its origin`() async throws {
        let store = try open()
        let added = try await store.add(try drafts("Milk", "Eggs"), to: nil, origin: .command).items
        try await store.add(ListImport("- [x] Rye\n".utf8).drafts, to: "Copy", origin: .imported)
        try await store.add(try drafts("Salt"))
        let history = try await store.history()
        #expect(history.map(\.event) == [.added, .added, .added, .added])
        #expect(history.map(\.title) == ["Milk", "Eggs", "Rye", "Salt"])
        #expect(history.map(\.origin) == [.command, .command, .imported, .phone])
        #expect(history.map(\.list) == ["Shopping", "Shopping", "Copy", "Shopping"])
        #expect(history.prefix(2).map(\.item) == added.map(\.id))
    }

    @Test func `a renaming is in the history with the title before`() async throws {
        let store = try open()
        let item = try await store.add(try drafts("Milk")).items[0].id
        let edit = ListEdit(item: item, action: .rename(to: try CleanTitle("Oat  milk"), at: world.now))
        #expect(try await store.apply(edit, origin: .command) == .changed)
        #expect(try await store.apply(edit, origin: .command) == .unchanged)
        #expect(try await store.contents().items.map(\.title) == ["Oat milk"])
        let entry = try #require(try await store.historyOfOldItems().first)
        #expect(entry.event == .renamed && entry.title == "Oat milk" && entry.formerTitle == "Milk")
        #expect(try await store.historyOfOldItems().count == 1)
    }

    @Test func `only check-offs are trips`() async throws {
        let store = try open()
        let items = try await store.add(try drafts("Milk", "Eggs")).items
        try await store.apply(ListEdit(item: items[0].id, action: .check(at: world.now)), origin: .command)
        let trip = world.now
        world.advance(seconds: 3_600)
        try await store.add(try drafts("Rye"))
        let title = try CleanTitle("Six eggs")
        try await store.apply(ListEdit(item: items[1].id, action: .rename(to: title, at: world.now)), origin: .command)
        let detail = ItemDetail(amount: "6")
        try await store.apply(ListEdit(item: items[1].id, action: .describe(detail, at: world.now)), origin: .command)
        #expect(try await store.pastItems(most: 9) == ["Milk"])
        let now = world.now
        let (last, all) = try await store.read { db in
            let list = try ListRecord.find(db, name: nil)
            return (
                try History.lastCheckOff(db, of: list, now: now),
                try History.checkOffs(db, of: list, since: .distantPast)
            )
        }
        #expect(last == trip)
        #expect(all == [trip])
    }

    @Test func `ten thousand items of an import are one transaction with their history`() async throws {
        let store = try open()
        let before = try await store.version()
        try await store.add(try drafts(count: 10_000), to: nil, origin: .imported)
        #expect(try await store.history().count == 10_000)
        #expect(try await store.version() == before, "no other process has changed it")
        let other = try DatabaseQueue(path: path)
        #expect(try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM history") } == 10_000)
    }
}
