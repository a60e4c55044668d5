import Foundation
import GRDB
import TestSupport
import Testing
import Wormhole

@testable import PhoneHost

@Suite struct PhoneStoreTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = TemporaryDirectory()
        path = directory.file("deep/down/phone.sqlite")
    }

    @Test func `a missing directory and database are made`() async throws {
        let store = try PhoneStore(path: path)
        #expect(try await store.lists() == [ListSummary(name: "Shopping", open: 0, checked: 0, isActive: true)])
        let permissions = try FileManager.default.attributesOfItem(atPath: directory.file("deep/down"))[
            .posixPermissions]
        #expect(permissions as? Int == 0o700)
    }

    @Test func `the database is in WAL mode and every commit reaches the disk`() async throws {
        let store = try PhoneStore(path: path)
        let (mode, synchronous) = try await store.read { db in
            (try String.fetchOne(db, sql: "PRAGMA journal_mode"), try Int.fetchOne(db, sql: "PRAGMA synchronous"))
        }
        #expect(mode == "wal")
        #expect(synchronous == 2)
    }

    @Test func `what a reading transaction writes is undone`() async throws {
        let store = try PhoneStore(path: path)
        try await store.add(try drafts("Milk"))
        let seen = try await store.read { db in
            try db.execute(cached: "DELETE FROM item")
            return try Int.fetchOne(db, cached: "SELECT count(*) FROM item")
        }
        #expect(seen == 0)
        #expect(try await store.contents().items.map(\.title) == ["Milk"])
    }

    @Test func `another program's database is refused and left alone`() async throws {
        let file = directory.file("other.sqlite")
        let other = try DatabaseQueue(path: file)
        try await other.write { try $0.execute(sql: "CREATE TABLE theirs (value)") }
        #expect(throws: PhoneError.damaged(path: file)) { try PhoneStore(path: file) }
        let (tables, mode) = try await other.read { db in
            (
                try String.fetchAll(db, sql: "SELECT name FROM sqlite_master"),
                try String.fetchOne(db, sql: "PRAGMA journal_mode")
            )
        }
        #expect(tables == ["theirs"])
        #expect(mode == "delete")
    }

    @Test func `an empty file becomes a database`() async throws {
        let file = directory.file("empty.sqlite")
        try Data().write(to: URL(filePath: file))
        #expect(try await PhoneStore(path: file).lists().count == 1)
    }

    @Test(arguments: [0, 1]) func `a database of another version is refused, and left alone`(version: Int) async throws
    {
        let store = try PhoneStore(path: path)
        try await store.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        try store.close()
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(throws: PhoneError.otherVersion(path: path)) { try PhoneStore(path: path) }
        #expect(throws: PhoneError.otherVersion(path: path)) { try DatabaseCheck(path: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `a database that another program holds locked is an error once the time is over`() async throws {
        let store = try PhoneStore(path: path, dependencies: .system, busyTimeout: 0.05)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        await #expect(throws: PhoneError.locked(path: path)) { try await store.add(try drafts("Milk")) }
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try await store.add(try drafts("Milk"))
        #expect(try await store.contents().items.count == 1)
    }

    @Test func `a full disk is an error that loses nothing`() async throws {
        let store = try PhoneStore(path: path)
        try await store.add(try drafts("Milk"))
        try await store.write { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        await #expect(throws: PhoneError.diskFull(path: path)) { try await store.add(try drafts(count: 5_000)) }
        #expect(try await store.contents().items.map(\.title) == ["Milk"])
    }

    @Test(arguments: ["", ":memory:"]) func `a database that would be in no file is refused`(path: String) throws {
        let refused = PhoneError.cannotOpen(path: path, reason: "a database needs a file")
        #expect(throws: refused) { try PhoneStore(path: path) }
        #expect(throws: refused) { try DatabaseCheck(path: path) }
    }

    @Test func `many that open a new database at once all succeed`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { [path] in
                    try await PhoneStore(path: path).add(try drafts("item \(number)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await PhoneStore(path: path).contents().items.count == 8)
    }

    @Test(arguments: [
        (ResultCode.SQLITE_NOTADB, PhoneError.damaged(path: "/p")), (.SQLITE_CORRUPT, .damaged(path: "/p")),
        (.SQLITE_READONLY, .readOnly(path: "/p")), (.SQLITE_BUSY, .locked(path: "/p")),
        (.SQLITE_BUSY_SNAPSHOT, .locked(path: "/p")), (.SQLITE_FULL, .diskFull(path: "/p")),
        (.SQLITE_READONLY_DIRECTORY, .readOnly(path: "/p")),
    ])
    func `SQLite's codes have a meaning`(code: ResultCode, meaning: PhoneError) {
        #expect(PhoneError(DatabaseError(resultCode: code), path: "/p") == meaning)
    }

    @Test func `every error is one line`() {
        let errors: [PhoneError] = [
            .damaged(path: "/p"), .otherVersion(path: "/p"), .readOnly(path: "/p"), .locked(path: "/p"),
            .diskFull(path: "/p"), .cannotOpen(path: "/p", reason: "r"),
            .cannotCreateDirectory(path: "/p", reason: "r"),
            .storage(path: "/p", reason: "r"), .noSuchList(name: "n", known: ["a", "b"]),
            .noSuchItem(query: "q", list: "l"), .itemCheckedOff(title: "t", list: "l"),
            .ambiguousItem(query: "q", candidates: ["a", "b"]), .emptyTitle,
            .file(path: "/p", reason: "r"), .alreadyServed(process: 7), .alreadyServed(process: nil),
            .sockets(reason: "r"),
        ]
        for error in errors {
            #expect(!error.description.isEmpty && !error.description.contains(where: \.isNewline))
        }
        #expect(PhoneError.alreadyServed(process: 7).description.hasPrefix("already served by process 7"))
    }
}
