import Foundation
import HostSystem
import SystemPackage

/// A copy of a database file and its write-ahead log, in a temporary directory that only this user can read.
///
/// SQLite changes the files of a database that it opens: it writes to the shared memory, and merges the log into the
/// file. A program that must leave the original unchanged reads a copy.
struct DatabaseCopy {
    private let directory: String
    private(set) var fileBytes = 0
    private(set) var logBytes = 0

    var path: String { "\(directory)/copy.sqlite" }

    /// The first bytes of an SQLite database (section 1.3 of SQLite's "Database File Format"). An empty database has no
    /// bytes.
    private static let beginning = Data("SQLite format 3\0".utf8)

    init(of original: String) throws(PhoneError) {
        try PhoneStore.checkPath(original)
        try DatabaseFile(path: original).checkPlace()
        directory = "\(FileManager.default.temporaryDirectory.path)/tapline-check-\(UInt64.random(in: 0 ... .max))"
        // The copy has the owner's lists, so the directory is removed even if a signal ends the process.
        ExitCleanup.remove(directory)
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            var (file, log) = try DatabaseCopy.read(original)
            // A host may merge the log into the file during the copy. Two equal reads in a row are one consistent state.
            for _ in 0..<5 {
                let before = (file, log)
                (file, log) = try DatabaseCopy.read(original)
                if (file, log) == before { break }
            }
            (fileBytes, logBytes) = (file.count, log.count)
            try file.write(to: URL(filePath: "\(directory)/copy.sqlite"))
            if !log.isEmpty { try log.write(to: URL(filePath: "\(directory)/copy.sqlite-wal")) }
        } catch {
            remove()
            throw (error as? PhoneError) ?? .cannotOpen(path: original, reason: String(describingErrno: error))
        }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: directory)
        ExitCleanup.forget(directory)
    }

    private static func read(_ path: String) throws -> (Data, Data) {
        // If the path is a symbolic link, the log is beside the link's target.
        let place = DatabaseFile(path: path).log
        let log = FileManager.default.fileExists(atPath: place) ? try bytes(of: place) : Data()
        return (try bytes(of: path, beginning: beginning), log)
    }

    /// Reads a regular file. Checks the first bytes before it reads the rest, because a wrong file may be huge.
    private static func bytes(of path: String, beginning: Data = Data()) throws -> Data {
        let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
        return try file.closeAfter {
            // Reading a device may never end.
            var information = stat()
            guard fstat(file.rawValue, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
                throw PhoneError.cannotOpen(path: path, reason: "it is no regular file")
            }
            let handle = FileHandle(fileDescriptor: file.rawValue, closeOnDealloc: false)
            let first = try handle.read(upToCount: beginning.count) ?? Data()
            guard first.isEmpty || first == beginning else { throw PhoneError.damaged(path: path) }
            return first + (try handle.readToEnd() ?? Data())
        }
    }
}
