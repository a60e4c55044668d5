import Foundation
import Testing

@testable import PhoneHost

@Suite struct DatabaseCopyTests {
    private let bench: WatchBench
    private var path: String { bench.store.path }
    private var backup: String { bench.directory.file("backup.sqlite") }

    init() throws { bench = try WatchBench() }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.directory.path).sorted()
    }

    @Test func `a copy that is read has what the log has, and errors name what was copied`() async throws {
        try await bench.store.add(try drafts("Milk"))
        let found = try await PhoneStore.readingCopy(of: path) { store throws(PhoneError) in
            try await store.contents()
        }
        #expect(found.items.map(\.title) == ["Milk"])
        try bench.store.close()
        try Data("not a database, but long enough to be taken for one".utf8).write(to: URL(filePath: path))
        await #expect(throws: PhoneError.damaged(path: path)) {
            try await PhoneStore.readingCopy(of: path) { store throws(PhoneError) in try await store.lists() }
        }
    }

    @Test func `a backup of a database in use has everything in one file for its owner alone`() async throws {
        let items = try await bench.store.add(try drafts("Milk", "Eggs")).items
        try await bench.meet(.init())
        try await bench.check(items[0].id.rawValue, 1, run: 3)
        // Stands for the connection of the backup command, which runs in another process.
        let other = try PhoneStore(path: path)
        let before = try files()
        try await other.backUp(to: backup, replacing: false)
        #expect(try files() == (before + ["backup.sqlite"]).sorted())
        #expect(try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int == 0o600)
        try await bench.store.add(try drafts("Rye"))
        #expect(try DatabaseCheck(path: backup).damage.isEmpty)
        let copy = try PhoneStore(path: backup)
        #expect(try await copy.contents().items.map(\.title) == ["Milk", "Eggs"])
        #expect(try await copy.history().count == 3)
        #expect(try await copy.watches().count == 1)
        try copy.close()
        try other.close()
    }

    private let ownFile = "it is a file of the database itself: choose another name"

    @Test func `a file that is there is replaced on demand alone, and the database never`() async throws {
        try Data("mine".utf8).write(to: URL(filePath: backup))
        let before = try files()
        let error = await #expect(throws: PhoneError.self) {
            try await bench.store.backUp(to: backup, replacing: false)
        }
        #expect(
            error?.description.hasPrefix("\(backup): there is a file of this name") == true)
        #expect(try Data(contentsOf: URL(filePath: backup)) == Data("mine".utf8))
        await #expect(throws: PhoneError.self) { try await bench.store.backUp(to: path, replacing: true) }
        await #expect(throws: PhoneError.file(path: "/nowhere/x", reason: "No such file or directory")) {
            try await bench.store.backUp(to: "/nowhere/x", replacing: false)
        }
        #expect(try files() == before, "nothing else is left")
        try await bench.store.backUp(to: backup, replacing: true)
        #expect(try DatabaseCheck(path: backup).lists == 1)
    }

    @Test(arguments: ["-wal", "-shm", "-journal", ".lock"])
    func `a backup never takes the name of a file that belongs to the database`(ending: String) async throws {
        let before = try files()
        await #expect(throws: PhoneError.file(path: path + ending, reason: ownFile)) {
            try await bench.store.backUp(to: path + ending, replacing: true)
        }
        #expect(try files() == before)
        try await bench.store.add(try drafts("Milk"))
    }

    @Test func `a backup whose unfinished copy would be the database is refused`() async throws {
        let database = backup + ".unfinished"
        let store = try PhoneStore(path: database)
        try await store.add(try drafts("Milk"))
        await #expect(throws: PhoneError.file(path: backup, reason: ownFile)) {
            try await store.backUp(to: backup, replacing: false)
        }
        #expect(try await store.contents().items.map(\.title) == ["Milk"])
        try store.close()
    }

    @Test func `a backup replaces no link, pipe or directory`() async throws {
        let link = bench.directory.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nothing")
        let pipe = bench.directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for file in [link, pipe, bench.directory.path] {
            await #expect(throws: PhoneError.file(path: file, reason: "it is no regular file: choose another name")) {
                try await bench.store.backUp(to: file, replacing: true)
            }
        }
    }

    @Test func `what an interrupted backup has left is replaced by the next`() async throws {
        try Data("half".utf8).write(to: URL(filePath: backup + ".unfinished"))
        let before = try files()
        try await bench.store.backUp(to: backup, replacing: false)
        #expect(try files() == (before.filter { !$0.hasSuffix(".unfinished") } + ["backup.sqlite"]).sorted())
    }
}
