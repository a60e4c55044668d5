import Foundation
import GRDB
import Testing

@testable import PhoneHost

/// The examination of a database: what was frozen is sound, damage is named, and nothing is written.
@Suite struct DatabaseCheckTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "tl-\(UInt32.random(in: 1 ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private var path: String { directory.appending(path: "phone.sqlite").path }

    private func lay(_ file: FrozenFile) throws {
        try Data(try file.bytes()).write(to: URL(filePath: path))
        let log = file.beside("sqlite-wal")
        if log.exists { try Data(try log.bytes()).write(to: URL(filePath: path + "-wal")) }
    }

    /// The examination, which finds a directory that may only be read and leaves it as it was.
    private func check() throws -> DatabaseCheck {
        let before = try contents()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path) }
        defer { #expect((try? contents()) == before) }
        return try DatabaseCheck(path: path)
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: directory.appending(path: $0))) })
    }

    @Test(arguments: FrozenDatabaseTests.databases) func `what was frozen is found, and is sound`(
        _ file: FrozenFile
    ) throws {
        let written = try WrittenDown(try file.beside("expected").text())
        try lay(file)
        let check = try check()
        #expect(!check.isDamaged)
        #expect(check.lists.first { $0.role == .active }?.name == written.single("phone list"))
        #expect(check.lists.first { $0.role == .active }?.open == written["phone row"].count)
        #expect(check.historyEntries == written.single("phone history entries").flatMap { Int($0) })
        if let watches = written.single("phone watches") { #expect(check.watches.count == Int(watches)) }
        #expect((check.logBytes > 0) == file.beside("sqlite-wal").exists)
    }

    /// Changes the database as another program might.
    private func change(_ sql: String) throws {
        let connection = try DatabaseQueue(path: path)
        try connection.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \(sql)")
        }
        try connection.close()
    }

    @Test func `a value out of range is told with its table and column`() throws {
        try lay(FrozenFile(version: "1", name: "pairs/kept.sqlite"))
        try change("UPDATE history SET tap = -1 WHERE number = 1; UPDATE watch SET more = 4294967296")
        let check = try check()
        #expect(check.isDamaged)
        #expect(check.outOfRange.contains(DatabaseCheck.OutOfRange(table: "history", column: "tap", rows: 1)))
        #expect(check.outOfRange.contains(DatabaseCheck.OutOfRange(table: "watch", column: "more", rows: 2)))
    }

    @Test func `a row that refers to nothing is told, and a hole in a queue`() throws {
        try lay(FrozenFile(version: "1", name: "pairs/kept.sqlite"))
        try change("DELETE FROM outgoing WHERE watch > 0; UPDATE item SET list = 99 WHERE title = 'Nails'")
        let check = try check()
        #expect(check.orphans == ["item": 1])
        #expect(check.gaps.map(\.queued) == [0])
    }

    @Test func `a page that has decayed is told`() throws {
        try lay(FrozenFile(version: "1", name: "pairs/kept.sqlite"))
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        for page in 3..<bytes.count / 4_096 - 1 { bytes[page * 4_096] ^= 0xFF }
        try Data(bytes).write(to: URL(filePath: path))
        let check = try check()
        #expect(check.isDamaged)
        #expect(!check.integrity.isEmpty || !check.unreadable.isEmpty)
        #expect(check.integrity.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isNewline) }, "\(check.integrity)")
    }

    @Test func `what is no database is refused in a line`() throws {
        try Data("not a database, but long enough to be taken for one".utf8).write(to: URL(filePath: path))
        #expect(throws: PhoneError.damaged(path: path)) { try check() }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: PhoneError.self) { try check() }
    }

    @Test func `what is no database is not read to its end, which may be beyond the memory`() throws {
        try Data().write(to: URL(filePath: path))
        try #require(truncate(path, 1 << 40) == 0)
        #expect(throws: PhoneError.damaged(path: path)) { try DatabaseCheck(path: path) }
    }

    @Test func `a signal that ends the program removes the copy`() async throws {
        try lay(FrozenFile(version: "1", name: "pairs/kept.sqlite"))
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
