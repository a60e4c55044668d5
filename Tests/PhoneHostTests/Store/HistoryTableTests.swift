import Foundation
import GRDB
import Testing

@testable import PhoneHost

/// The history as it is written down, and as it was before additions and renamings were.
@Suite struct HistoryTableTests {
    let directory: TemporaryDirectory
    let world = SteppedDependencies()
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("phone.sqlite")
    }

    private func open() throws -> PhoneStore {
        try PhoneStore(path: path, dependencies: world.dependencies)
    }

    /// The versions before the history had additions, and before it had amounts and notes.
    private static let before = "10 values of watches in the place of ours"
    private static let beforeDetails = "19 amounts and notes on calendar servers"

    /// Writes a database of an earlier version, with what `body` puts into it.
    private func writeOlder(
        _ version: String = HistoryTableTests.before, _ body: (Database) throws -> Void
    ) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA application_id = \(PhoneSchema.applicationID)")
        }
        try PhoneSchema.migrator(world.dependencies) { _ in }.migrate(queue, upTo: version)
        try queue.write(body)
        try queue.close()
    }

    /// As a damaged page may.
    private func breakReference() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA foreign_keys = OFF; UPDATE history SET list = 99 WHERE number = 3")
        }
        try queue.close()
    }

    private static let rows = """
        INSERT INTO item (id, list, rank, title, addedAt, checkedAt) VALUES (2000000, 1, 1024, 'Milk', 5, 70);
        INSERT INTO history (number, event, item, title, list, at, origin) VALUES
            (3, 'checked', 2000000, 'Milk', 1, 70, 'command'), (4, 'unchecked', 2000000, 'Milk', 1, 71, 'phone');
        INSERT INTO history (number, event, item, title, list, at, origin, watch, epoch, sequence, tap, localTime) VALUES
            (7, 'checked', 2000000, 'Milk', 1, 72, 'watch', -5, 3, 1, 9, 60),
            (8, 'rejected', 77, NULL, NULL, 73, 'watch', -5, 3, 2, NULL, NULL);
        INSERT INTO history (number, event, item, title, list, at, origin) VALUES (9, 'removed', 78, 'Rye', 1, 74, 'command');
        DELETE FROM history WHERE number = 9;
        """

    @Test func `the history of the version before is kept, and goes on`() async throws {
        try writeOlder { try $0.execute(sql: HistoryTableTests.rows) }
        let store = try open()
        let history = try await store.history()
        #expect(history.map(\.number) == [3, 4, 7, 8])
        #expect(history.map(\.event) == [.checked, .unchecked, .checked, .rejected])
        #expect(history.map(\.title) == ["Milk", "Milk", "Milk", nil])
        #expect(history.map(\.list) == ["Shopping", "Shopping", "Shopping", nil])
        #expect(history.allSatisfy { $0.formerTitle == nil })
        let tap = try #require(history[2].origin.tap)
        #expect(tap == WatchTap(watch: UInt64(bitPattern: -5), epoch: 3, sequence: 1, tap: 9, localTime: 60))
        try await store.add(try drafts("Eggs"))
        #expect(try await store.history().last?.number == 10, "9 was given out before")
        try store.close()
        #expect(try await open().history().count == 5)
    }

    @Test func `additions and renamings of the version before amounts and notes are kept`() async throws {
        try writeOlder(HistoryTableTests.beforeDetails) { db in
            try db.execute(sql: HistoryTableTests.rows)
            try db.execute(
                sql: """
                    INSERT INTO history (number, event, item, title, formerTitle, list, at, origin) VALUES
                        (11, 'added', 79, 'Rye', NULL, 1, 75, 'import'), (12, 'renamed', 79, 'Bun', 'Rye', 1, 76, 'command');
                    """)
        }
        let store = try open()
        let history = try await store.history()
        #expect(history.map(\.number) == [3, 4, 7, 8, 11, 12])
        #expect(history.map(\.formerTitle) == [nil, nil, nil, nil, nil, "Rye"])
        #expect(history.allSatisfy { $0.description == nil })
        #expect(history[2].origin.tap?.sequence == 1)
        let describe = ListEdit.Action.describe(ItemDetail(amount: "2 l"), at: world.now)
        try await store.apply(
            ListEdit(item: ItemIdentifier(rawValue: 2_000_000), action: describe), origin: .command)
        let entry = try #require(try await store.history(events: [.described]).first)
        #expect(entry.number == 13 && entry.description?.after.amount == "2 l")
    }

    @Test func `the table has the indices, the references and the uniqueness that it had`() async throws {
        try writeOlder { try $0.execute(sql: HistoryTableTests.rows) }
        let store = try open()
        let names = try await store.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM sqlite_master WHERE tbl_name = 'history' AND type = 'index' AND sql <> '' ORDER BY name"
            )
        }
        #expect(names == ["checkOffsOfList", "historyOfItem", "historyOfList", "historyWithoutEffect"])
        #expect(
            try await store.read {
                try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE name LIKE 'new%'")
            } == [])
        let wrong = [
            // A check-off that is there, a list that is not, a renaming without the title before, an unknown event.
            "(event, item, at, origin, watch, epoch, sequence) VALUES ('checked', 1, 1, 'watch', -5, 3, 1)",
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
        #expect(try await store.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func `a file in which a reference or a value was broken opens, and the entry is there`() async throws {
        try writeOlder { db in
            try db.execute(sql: HistoryTableTests.rows)
            try db.execute(
                sql: "PRAGMA ignore_check_constraints = ON; UPDATE history SET event = 'eaten' WHERE number = 4")
        }
        try breakReference()
        let store = try open()
        let kept = try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM history") }
        #expect(kept == 4)
        #expect(try await store.history(events: [.checked]).map(\.list) == [nil, "Shopping"])
        #expect(try await store.read { try Int.fetchOne($0, sql: "PRAGMA ignore_check_constraints") } == 0)
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

    @Test func `the phone's own view renames, too`() async throws {
        let store = try open()
        let item = try await store.add(try drafts("Milk")).items[0].id
        let list = try await PhoneList(ActiveList(store), dependencies: world.dependencies)
        list.rename(item, to: try CleanTitle("Oat milk"))
        #expect(list.snapshot.contents.items.map(\.title) == ["Oat milk"])
        await list.settled()
        #expect(try await store.historyOfOldItems().map(\.origin) == [.phone])
    }

    @Test func `the history is filtered by events, and the newest of these are shown`() async throws {
        let store = try open()
        let items = try await store.add(try drafts("Milk", "Eggs")).items
        try await store.apply(ListEdit(item: items[0].id, action: .check(at: world.now)), origin: .command)
        #expect(try await store.history(events: [.added], limit: 1).map(\.title) == ["Eggs"])
        #expect(try await store.history(events: [.checked, .removed]).map(\.title) == ["Milk"])
        #expect(try await store.history(events: []).isEmpty)
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
        #expect(try await store.version() == before, "nobody else has changed it")
        let other = try DatabaseQueue(path: path)
        #expect(try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM history") } == 10_000)
    }
}
