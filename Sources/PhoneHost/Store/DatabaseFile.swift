import Foundation
import SystemPackage

/// The file of a database, and the two files that SQLite keeps beside it. Only their owner may read or write them.
struct DatabaseFile {
    let path: String
    /// The user who must own these files.
    var user: UInt32 = geteuid()

    /// Checks that SQLite can use the file safely. SQLite names its log after the database's path. If programs open one file by
    /// two paths, each misses the other's log, and together they destroy the database.
    ///
    /// - Throws: `.cannotOpen` if `checkPlace` refuses the path, the file is not regular, or it has several hard links.
    func check() throws(PhoneError) {
        try checkPlace()
        var information = stat()
        if stat(path, &information) == 0 {
            guard information.st_mode & S_IFMT == S_IFREG else {
                throw .cannotOpen(path: path, reason: "it is no regular file")
            }
            guard information.st_nlink < 2 else {
                throw .cannotOpen(
                    path: path, reason: "the file has \(information.st_nlink) names (hard links), remove all but one")
            }
        }
    }

    /// Checks that no other user owns a file that this user can write. That user could read and change the data.
    ///
    /// - Throws: `.cannotOpen` if another user owns one of these files.
    func checkOwner() throws(PhoneError) {
        for file in [realPath] + companions {
            var information = stat()
            guard stat(file, &information) == 0, information.st_uid != user, access(file, W_OK) == 0 else { continue }
            throw .cannotOpen(
                path: path,
                reason: "\(file) belongs to user \(information.st_uid), take it over (chown) or name another database")
        }
    }

    /// Checks that the path is UTF-8 once its symbolic links are resolved. SQLite gets it as a Swift string, which would replace
    /// bytes that are not UTF-8.
    ///
    /// - Throws: `.cannotOpen` if that path is not UTF-8.
    func checkPlace() throws(PhoneError) {
        let directory = FilePath(path).removingLastComponent().string
        // If the file does not exist yet, its directory decides.
        guard let resolved = realpath(path, nil) ?? realpath(directory.isEmpty ? "." : directory, nil) else { return }
        defer { free(resolved) }
        guard String(validatingCString: resolved) == nil else { return }
        throw .cannotOpen(path: path, reason: "its full path is not UTF-8, move it to a directory whose path is")
    }

    /// Creates the file if it is missing, readable only by its owner. SQLite would let other users read a file that it creates.
    func create() {
        guard access(path, F_OK) != 0 else { return }
        // No connection is open yet, so closing the file releases no lock of SQLite. If the file cannot be created, SQLite
        // reports why.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes other users' permissions from existing files. Ignores files whose mode this user may not change.
    func tighten() {
        for file in [realPath] + companions {
            var information = stat()
            guard stat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
                information.st_mode & 0o077 != 0
            else { continue }
            _ = chmod(file, information.st_mode & 0o700)
        }
    }

    /// The write-ahead log and its index, which SQLite keeps beside the database.
    var companions: [String] {
        let place = realPath
        return [place + "-wal", place + "-shm"]
    }

    var log: String { realPath + "-wal" }

    /// The path with symbolic links resolved. SQLite keeps the log and its index beside this path.
    var realPath: String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        // A file that does not exist yet will be in this directory.
        let file = FilePath(path)
        let directory = file.removingLastComponent().string
        guard let name = file.lastComponent, let resolved = realpath(directory.isEmpty ? "." : directory, nil) else {
            return path
        }
        defer { free(resolved) }
        return FilePath(String(cString: resolved)).appending(name).string
    }
}
