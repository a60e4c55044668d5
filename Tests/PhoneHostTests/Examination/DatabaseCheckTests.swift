import Foundation
import GRDB
import Testing
import Wormhole

@testable import PhoneHost

@Suite struct DatabaseCheckTests {
    private let bench: WatchBench
    private var path: String { bench.store.path }

    init() async throws {
        bench = try WatchBench()
        let items = try await bench.store.add(try drafts("Milk", "Nails", "Rye")).items
        try await bench.meet(.init())
        try await bench.check(items[0].id.rawValue, 1, run: 3)
        try await bench.feed()
        _ = try bench.messages.append(OutboundMessage(name: "note", payload: [1]), to: bench.watch, paying: nil)
        try bench.store.close()
    }

    /// Checks the database while its directory is read-only. Expects that no file changes.
    private func check() throws -> DatabaseCheck {
        let before = try contents()
        let place = bench.directory.path
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: place)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place) }
        defer { #expect((try? contents()) == before) }
        return try DatabaseCheck(path: path)
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.directory.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: bench.directory.file($0)))) })
    }

    /// Runs `sql` on the database without foreign keys and CHECK constraints, as another program might.
    private func change(_ sql: String) throws {
        let connection = try DatabaseQueue(path: path)
        try connection.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \(sql)")
        }
        try connection.close()
    }

    @Test func `what is there is counted, and is sound`() throws {
        let check = try check()
        #expect(check.damage.isEmpty)
        #expect(check.lists == 1 && check.openItems == 2 && check.checkedItems == 1)
        #expect(check.activeList == "Shopping")
        #expect(check.watches == 1 && check.waiting > 0)
        #expect(check.historyEntries == 4)
        #expect(check.fileBytes > 0 && check.logBytes == 0)
    }

    @Test func `what is in the log of a host that serves is there`() async throws {
        let store = try PhoneStore(path: path)
        try await store.add(try drafts("Figs"))
        let check = try DatabaseCheck(path: path)
        #expect(check.damage.isEmpty && check.openItems == 3 && check.logBytes > 0)
        try store.close()
    }

    @Test func `a value out of range is told with its table and column`() throws {
        try change("UPDATE history SET tap = -1 WHERE origin = 'watch'; UPDATE watch SET largestBody = 4294967296")
        let damage = try check().damage
        #expect(damage.contains(.outOfRange(table: "history", column: "tap", rows: 1)))
        #expect(damage.contains(.outOfRange(table: "watch", column: "largestBody", rows: 1)))
    }

    @Test func `that no list is active is told`() throws {
        try change("DELETE FROM host")
        #expect(try check().damage.contains(.noActiveList))
    }

    @Test func `a row that refers to nothing is told, and a hole in a queue`() throws {
        try change("DELETE FROM message; UPDATE item SET list = 99 WHERE title = 'Nails'")
        let check = try check()
        #expect(check.damage.contains(.orphans(table: "item", rows: 1)))
        #expect(check.damage.contains(.gap(watch: bench.watch.rawValue, messages: check.waiting)))
    }

    @Test func `a page that has decayed is told, with its table`() throws {
        let connection = try DatabaseQueue(path: path)
        let page = try connection.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'history'")
        }
        try connection.close()
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        bytes[(try #require(page) - 1) * 4_096] ^= 0xFF
        try Data(bytes).write(to: URL(filePath: path))
        let damage = try check().damage
        #expect(damage.contains(.unreadable(table: "history")))
        for case .file(let line) in damage { #expect(!line.isEmpty && !line.contains(where: \.isNewline)) }
    }

    @Test func `what is no database is refused in a line`() throws {
        try Data("not a database, but long enough to be taken for one".utf8).write(to: URL(filePath: path))
        #expect(throws: PhoneError.damaged(path: path)) { try check() }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: PhoneError.self) { try check() }
    }

    @Test func `a file without bytes is a new database, as it is for every command`() async throws {
        try Data().write(to: URL(filePath: path))
        let check = try check()
        #expect(check.damage.isEmpty && check.fileBytes == 0)
        let lists = try await PhoneStore.readingCopy(of: path) { store throws(PhoneError) in try await store.lists() }
        #expect(check.lists == lists.count && check.activeList == lists.first?.name)
    }

    @Test func `a signal that ends the program removes the copy`() async throws {
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
            let copy = try DatabaseCopy(of: path)
            try Data(copy.path.utf8).write(to: URL(filePath: path + ".copy"))
            kill(getpid(), SIGTERM)
            while true { pause() }
        }
        let copy = try String(contentsOfFile: path + ".copy", encoding: .utf8)
        #expect(copy.hasSuffix(".sqlite"))
        #expect(!FileManager.default.fileExists(atPath: URL(filePath: copy).deletingLastPathComponent().path))
    }
}
