import Foundation
import PhoneHost
import Testing

/// A database of an earlier version on a medium that is only read: its copy is migrated and has what its log has.
@Suite struct ReadCopyTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "tl-\(UInt32.random(in: 1 ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    @Test(arguments: FrozenDatabaseTests.databases) func `what was frozen is read, and stays as it is`(
        _ file: FrozenFile
    ) async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "phone.sqlite").path
        try Data(try file.bytes()).write(to: URL(filePath: path))
        let log = file.beside("sqlite-wal")
        if log.exists { try Data(try log.bytes()).write(to: URL(filePath: path + "-wal")) }
        let before = try contents()
        let found = try await PhoneStore.readingCopy(of: path) { store throws(PhoneError) in
            try await store.contents(of: nil)
        }
        let written = try WrittenDown(try file.beside("expected").text())
        #expect(found.name == written.single("phone list"))
        #expect(found.open.count == written["phone row"].count)
        #expect(try contents() == before)
    }

    @Test func `an error names what was copied`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "phone.sqlite").path
        try Data("not a database, but long enough to be taken for one".utf8).write(to: URL(filePath: path))
        await #expect(throws: PhoneError.damaged(path: path)) {
            try await PhoneStore.readingCopy(of: path) { store throws(PhoneError) in try await store.lists() }
        }
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: directory.appending(path: $0))) })
    }
}
