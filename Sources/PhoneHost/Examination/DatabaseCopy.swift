import Foundation
import HostSystem
import SystemPackage

/// A copy of a database and of its write-ahead log, in a directory that only this user can read.
///
/// SQLite would write to the shared memory beside the original, and merge the log when it closes.
struct DatabaseCopy {
    private let directory: String
    private(set) var fileBytes = 0
    private(set) var logBytes = 0

    var path: String { "\(directory)/copy.sqlite" }

    /// How every database of SQLite begins that is not empty ("Database File Format" of its documentation, section 1.3).
    private static let beginning = Data("SQLite format 3\0".utf8)

    /// - Throws: `.cannotOpen`, and `.damaged` for a file that is no database, whatever its length.
    init(of original: String) throws(PhoneError) {
        try PhoneStore.checkPath(original)
        try DatabaseFile(path: original).checkPlace()
        directory = "\(FileManager.default.temporaryDirectory.path)/tapline-check-\(UInt64.random(in: 0 ... .max))"
        // A signal that ends the process removes it: nothing else knows its name, and a whole list is in it.
        ExitCleanup.remove(directory)
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            var (file, log) = try DatabaseCopy.read(original)
            // A host may have merged its log in between: two readings that are the same are of one state.
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
        // SQLite keeps the log beside the file that a symbolic link leads to.
        let place = DatabaseFile(path: path).log
        let log = FileManager.default.fileExists(atPath: place) ? try bytes(of: place) : Data()
        return (try bytes(of: path, beginning: beginning), log)
    }

    /// The bytes of a regular file, which is opened for reading only. One that is not empty and begins with other bytes
    /// than these is not read any further: it may be larger than the memory.
    private static func bytes(of path: String, beginning: Data = Data()) throws -> Data {
        let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
        return try file.closeAfter {
            // A device may have no end.
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
