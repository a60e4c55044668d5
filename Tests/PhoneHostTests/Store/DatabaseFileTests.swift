import Foundation
import GRDB
import TestSupport
import Testing

@testable import PhoneHost

@Suite struct DatabaseFileTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = TemporaryDirectory()
        path = directory.file("phone.sqlite")
    }

    private func permissions(_ file: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    }

    @Test func `a new database is for its owner alone, and so are the files beside it`() async throws {
        let store = try PhoneStore(path: path)
        try await store.add(try drafts("Milk"))
        for file in [path, path + "-wal", path + "-shm"] { #expect(try permissions(file) == 0o600) }
        try store.close()
    }

    @Test func `one that others could read is tightened when it is opened`() async throws {
        let first = try PhoneStore(path: path)
        try await first.add(try drafts("Milk"))
        for file in [path, path + "-wal", path + "-shm"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        }
        let second = try PhoneStore(path: path)
        for file in [path, path + "-wal", path + "-shm"] { #expect(try permissions(file) == 0o600) }
        try second.close()
        try first.close()
    }

    @Test func `also by another name`() throws {
        try PhoneStore(path: path).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
        let link = directory.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try PhoneStore(path: link).close()
        #expect(try permissions(path) == 0o600)
    }

    @Test(arguments: ["", "-wal", "-shm"]) func `files of another user are refused, and not written to`(suffix: String)
        throws
    {
        let other = geteuid() + 1
        try Data().write(to: URL(filePath: path + suffix))
        do {
            _ = try PhoneStore(path: path, dependencies: .system, user: other)
            Issue.record("it was opened")
        } catch {
            let description = "\(error)"
            #expect(description.contains("belongs to user \(geteuid())"), "\(description)")
            #expect(!description.contains("\n"))
        }
        #expect(try Data(contentsOf: URL(filePath: path + suffix)).isEmpty)
    }

    @Test func `another program's file keeps its permissions`() throws {
        try Data("a letter".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: PhoneError.damaged(path: path)) { try PhoneStore(path: path) }
        #expect(try permissions(path) == 0o644)
    }

    @Test func `a database with two names is refused, with what to do`() throws {
        try PhoneStore(path: path).close()
        let other = directory.file("other.sqlite")
        try FileManager.default.linkItem(atPath: path, toPath: other)
        for name in [path, other] {
            let error = #expect(throws: PhoneError.self) { try PhoneStore(path: name) }
            #expect(error?.description.contains("2 names (hard links), remove all but one") == true)
        }
        try FileManager.default.removeItem(atPath: other)
        try PhoneStore(path: path).close()
    }

    /// Returns a link to a new directory whose name is Latin-1 and not UTF-8. If the phone opened a database there,
    /// SQLite would look for the log in a directory with another name.
    private func latinDirectory() throws -> String {
        let name = Array("\(directory.path)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
        try #require(mkdir(name, 0o700) == 0)
        try #require(symlink(name, directory.file("link")) == 0)
        return directory.file("link")
    }

    @Test(arguments: [[], ["phone.sqlite"]])
    func `a database whose full path is not UTF-8 is refused, with what to do`(files: [String]) throws {
        let place = try latinDirectory()
        let path = "\(place)/phone.sqlite"
        for _ in files {
            try PhoneStore(path: self.path).close()
            try FileManager.default.copyItem(atPath: self.path, toPath: path)
        }
        for open in [{ _ = try PhoneStore(path: path) }, { _ = try DatabaseCheck(path: path) }] {
            let error = #expect(throws: PhoneError.self) { try open() }
            #expect(error?.description.contains("not UTF-8, move it to a directory whose path is") == true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == files, "nothing is created")
    }
}
