import Foundation
import GRDB
import Testing

@testable import PhoneHost

/// Nobody but the owner reads a list.
@Suite struct DatabaseFileTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
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
}
