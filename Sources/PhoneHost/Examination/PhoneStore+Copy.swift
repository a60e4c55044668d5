import Foundation
import SystemPackage
import Wormhole

extension PhoneStore {
    /// Calls `body` with a copy of a database. SQLite cannot open the original if the user has no permission to write its
    /// log.
    package static func readingCopy<Value>(
        of path: String, _ body: (PhoneStore) async throws(PhoneError) -> Value
    ) async throws(PhoneError) -> Value {
        let copy = try DatabaseCopy(of: path)
        defer { copy.remove() }
        let store = try PhoneStore(copy: copy, of: path)
        let value = try await body(store)
        try store.close()
        return value
    }

    /// Copies the database to `file`, with all changes made before the call. Only the copy's owner can read it (mode
    /// 0600). A host may serve the database meanwhile. An existing file is replaced only when the copy is complete on
    /// the disk.
    package func backUp(to file: String, replacing: Bool) async throws(PhoneError) {
        let (database, target) = (DatabaseFile(path: path).realPath, DatabaseFile(path: file).realPath)
        let written = ["", ".unfinished", ".unfinished-journal"]
        guard
            Set(["", "-wal", "-shm", "-journal", ".lock"].map { database + $0 })
                .isDisjoint(with: written.map { target + $0 })
        else {
            throw .file(path: file, reason: "it is a file of the database itself: choose another name")
        }
        var information = stat()
        if lstat(file, &information) == 0 {
            guard information.st_mode & S_IFMT == S_IFREG else {
                throw .file(path: file, reason: "it is no regular file: choose another name")
            }
            guard replacing else {
                throw .file(
                    path: file, reason: "there is a file of this name: choose another, or replace it with --force")
            }
        }
        // An interrupted backup leaves these files.
        for ending in written.dropFirst() { unlink(file + ending) }
        let temporary = file + written[1]
        do {
            let new = try FileDescriptor.open(
                FilePath(temporary), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            defer { try? new.close() }
            defer { unlink(temporary) }
            try await perform { connection in
                try connection.withoutTransaction {
                    try $0.execute(sql: "VACUUM INTO ?", arguments: [DatabaseSchema.plain(temporary)])
                }
            }
            guard fsync(new.rawValue) == 0 else { throw Errno(rawValue: errno) }
            guard rename(temporary, file) == 0 else { throw Errno(rawValue: errno) }
            let directory = FilePath(file).removingLastComponent()
            let place = try FileDescriptor.open(directory.isEmpty ? "." : directory, .readOnly, options: [.closeOnExec])
            try place.closeAfter { guard fsync(place.rawValue) == 0 else { throw Errno(rawValue: errno) } }
        } catch PhoneError.diskFull {
            throw .diskFull(path: file)
        } catch {
            throw (error as? PhoneError) ?? .file(path: file, reason: String(describingErrno: error))
        }
    }
}
