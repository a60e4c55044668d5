import Foundation
import GRDB
import SeededNumbers
import Testing
import WatchLink

@testable import PhoneHost

/// SQLite plays the log of a killed program onto whatever lies in the place of its database. A copy of an earlier state there
/// is refused, or nothing of either is lost: never both mixed.
@Suite struct LogMarkTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("phone.sqlite")
    }

    @Test func `an older copy beside the log of a killed program is refused, and neither is changed`() async throws {
        try await add("Milk")
        try copy(path, to: directory.file("old"))
        try await add("Eggs")
        let open = try await begin("Bread")
        let killed = try kill(putting: directory.file("old"))
        let (file, log) = (try bytes(killed), try bytes(killed + "-wal"))

        #expect(throws: PhoneError.foreignLog(path: killed)) { try PhoneStore(path: killed) }
        #expect(try bytes(killed) == file)
        #expect(try bytes(killed + "-wal") == log)

        try FileManager.default.removeItem(atPath: killed + "-wal")
        #expect(try await titles(killed) == ["Milk"], "without the log it opens as it was")
        try open.close()
    }

    @Test func `a log is played onto the file that it was begun on`() async throws {
        try await add("Milk")
        try copy(path, to: directory.file("base"))
        let open = try await begin("Eggs")
        #expect(try await titles(try kill(putting: directory.file("base"))) == ["Milk", "Eggs"])
        try open.close()
    }

    @Test func `a log is not played onto another database, nor onto an empty file`() async throws {
        try await add("Milk")
        try await add("Eggs")
        let open = try await begin("Bread")
        let other = try PhoneStore(path: directory.file("other"))
        try await other.add(try drafts("Nails"))
        try other.close()
        try Data().write(to: URL(filePath: directory.file("empty")))
        let killed = try kill(putting: directory.file("other"))
        #expect(throws: PhoneError.foreignLog(path: killed)) { try PhoneStore(path: killed) }
        _ = try kill(putting: directory.file("empty"))
        #expect(throws: PhoneError.logWithoutFile(path: killed)) { try PhoneStore(path: killed) }
        try FileManager.default.removeItem(atPath: killed)
        #expect(throws: PhoneError.logWithoutFile(path: killed)) { try PhoneStore(path: killed) }
        #expect(try copyLog(to: killed), "no log is deleted")
        try open.close()
    }

    @Test func `the log of a new database is not played onto another new one`() async throws {
        let open = try await begin("Milk")
        let other = try PhoneStore(path: directory.file("other"))
        try await other.add(try drafts("Nails"))
        try other.close()
        let killed = try kill(putting: directory.file("other"))
        #expect(throws: PhoneError.foreignLog(path: killed)) { try PhoneStore(path: killed) }
        try open.close()
    }

    @Test func `a copy that was made in the middle of a checkpoint is refused`() async throws {
        try await add("Milk")
        let open = try await begin("Eggs")
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try await reader.unsafeRead { db in try db.execute(sql: "BEGIN") }
        _ = try reader.unsafeRead { db in try Row.fetchAll(db, sql: "SELECT * FROM item") }
        try await open.add(try drafts("Bread"))
        try checkpoint("PASSIVE")
        try copy(path, to: directory.file("half"))
        try await reader.unsafeRead { db in try db.execute(sql: "COMMIT") }
        try reader.close()
        try checkpoint("TRUNCATE")
        try await open.add(try drafts("Salt"))
        let killed = try kill(putting: directory.file("half"))
        #expect(throws: PhoneError.foreignLog(path: killed)) { try PhoneStore(path: killed) }
        try open.close()
    }

    @Test func `a table of marks that another program has emptied is filled again`() async throws {
        try await add("Milk")
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "DELETE FROM logMark") }
        try queue.close()
        let open = try await begin("Eggs")
        try copy(path, to: directory.file("base"))
        #expect(try await titles(try kill(putting: directory.file("base"))) == ["Milk", "Eggs"])
        try open.close()
    }

    @Test func `a log that another program has begun belongs to the state that it was begun on alone`() async throws {
        try await add("Milk")
        let host = try await begin("Eggs")
        try checkpoint("TRUNCATE")
        try copy(path, to: directory.file("backup"))
        for title in ["Bread", "Salt"] {
            try await writeElsewhere("UPDATE item SET title = title || '!'")
            try await host.add(try drafts(title))
            try checkpoint("TRUNCATE")
        }
        try await writeElsewhere("UPDATE item SET title = title || '!'")
        try await host.add(try drafts("Soap"))
        let killed = try kill(putting: directory.file("backup"))
        #expect(throws: PhoneError.foreignLog(path: killed)) { try PhoneStore(path: killed) }
        try host.close()
    }

    @Test func `a file that is written over while it is in use is not written to any more, and neither is its log`()
        async throws
    {
        for copied in ["before its log", "of two logs before", "empty"] {
            let other = try LogMarkTests()
            try await other.add("Milk")
            try other.copy(other.path, to: other.directory.file("of two logs before"))
            try await other.add("Eggs")
            try other.copy(other.path, to: other.directory.file("before its log"))
            try Data().write(to: URL(filePath: other.directory.file("empty")))
            let host = try await other.begin("Bread")
            try other.checkpoint("PASSIVE")
            try await host.add(try drafts("Salt"))
            // In place: the same file, with other bytes.
            try other.copy(other.directory.file(copied), to: other.path)
            await #expect(throws: PhoneError.databaseReplaced(path: other.path), "\(copied)") {
                try await host.checkFile()
            }
            await #expect(throws: PhoneError.databaseReplaced(path: other.path)) {
                try await host.add(try drafts("Soap"))
            }
            let log = try other.bytes(other.path + "-wal")
            #expect(throws: PhoneError.databaseReplaced(path: other.path)) { try host.close() }
            #expect(try other.bytes(other.path + "-wal") == log, "the log is what is left of what was stored")
            #expect(try other.bytes(other.path) == other.bytes(other.directory.file(copied)))
        }
    }

    @Test func `a copy that another program puts back through SQLite is taken, and stored to`() async throws {
        try await add("Milk")
        try copy(path, to: directory.file("backup"))
        let host = try await begin("Eggs")
        try checkpoint("TRUNCATE")
        try await host.add(try drafts("Bread"))
        let backup = try DatabaseQueue(path: directory.file("backup"))
        let place = try DatabaseQueue(path: path)
        try backup.backup(to: place)
        try place.close()
        try await host.checkFile()
        try await host.add(try drafts("Salt"))
        #expect(try await host.contents().items.map(\.title) == ["Milk", "Salt"])
        try copy(path, to: directory.file("base"))
        #expect(try await titles(try kill(putting: directory.file("base"))) == ["Milk", "Salt"])
        try host.close()
    }

    @Test func `a host that is served and a command beside it meet no foreign log`() async throws {
        let host = try PhoneStore(path: path)
        for number in 0..<30 {
            try await host.add(try drafts("Item \(number)"))
            try checkpoint(LogMarkTests.checkpoints[number % 4])
            let command = try PhoneStore(path: path)
            try await command.add(try drafts("Other \(number)"))
            try command.close()
            try await host.checkFile()
        }
        #expect(try await host.contents().items.count == 60)
        try host.close()
    }

    @Test(arguments: LogMarkTests.seeds)
    func `whichever copy lies beside whichever log, it is refused or has all that was in the log`(seed: UInt64)
        async throws
    {
        var random = SplitMix64(seed: seed)
        var (copies, refused, opened) = (0, 0, 0)
        var store = try PhoneStore(path: path)
        for step in 0..<60 {
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                try store.close()
                store = try PhoneStore(path: path)
            case 1: try checkpoint(LogMarkTests.checkpoints.randomElement(using: &random) ?? "FULL")
            case 2:
                try copy(path, to: directory.file("copy-\(copies)"))
                copies += 1
            case 3:
                try await writeElsewhere("UPDATE item SET title = title || '!'")
                // What a host does when it looks.
                try await store.checkFile()
                try await store.markLog()
            case _: try await store.add(try drafts("Item \(step)"))
            }
            let present = try await store.contents().items.map(\.title)
            let killed = directory.file("killed.sqlite")
            guard copies > 0, try copyLog(to: killed) else { continue }
            try copy(directory.file("copy-\(Int.random(in: 0..<copies, using: &random))"), to: killed)
            do {
                let found = try await titles(killed)
                #expect(found == present, "TAPLINE_SEED=\(seed), step \(step)")
                opened += 1
            } catch PhoneError.foreignLog {
                refused += 1
            }
        }
        try store.close()
        #expect(refused > 0 && opened > 0, "TAPLINE_SEED=\(seed): refused \(refused), opened \(opened)")
    }
}

extension LogMarkTests {
    private static let checkpoints = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"]

    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["TAPLINE_SEED"].flatMap(UInt64.init).map { [$0] }
        ?? [1, 2, 3, .random(in: 4 ... .max)]

    /// Adds an item in a program that ends.
    private func add(_ title: String) async throws {
        try await begin(title).close()
    }

    /// Adds an item in a program that goes on: the item is in the log.
    private func begin(_ title: String) async throws -> PhoneStore {
        let store = try PhoneStore(path: path)
        try await store.add(try drafts(title))
        return store
    }

    /// Another program changes the database, which marks nothing.
    private func writeElsewhere(_ sql: String) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func titles(_ path: String) async throws -> [String] {
        let store = try PhoneStore(path: path)
        let titles = try await store.contents().items.map(\.title)
        try store.close()
        return titles
    }

    /// Copies as another program: this one would lose its locks on a file that it opens and closes.
    private func copy(_ file: String, to copy: String) throws {
        let process = try Process.run(URL(filePath: "/bin/cp"), arguments: [file, copy])
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Copies the log to where a database's would be; whether there is something in it.
    private func copyLog(to database: String) throws -> Bool {
        try? FileManager.default.removeItem(atPath: database + "-shm")
        guard try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int != 0 else { return false }
        try copy(path + "-wal", to: database + "-wal")
        return true
    }

    /// What is left where the program is killed, with a file put in the place of the database: its path.
    private func kill(putting file: String) throws -> String {
        let killed = directory.file("killed.sqlite")
        try #require(try copyLog(to: killed))
        try copy(file, to: killed)
        return killed
    }

    private func bytes(_ file: String) throws -> Data { try Data(contentsOf: URL(filePath: file)) }

    /// Another program copies what is in the log into the file.
    private func checkpoint(_ mode: String) throws {
        let queue = try DatabaseQueue(path: path)
        _ = try queue.writeWithoutTransaction { try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(\(mode))") }
        try queue.close()
    }
}
