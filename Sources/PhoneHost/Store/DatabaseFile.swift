import Foundation
import SystemPackage

/// The file of a database and the two files that SQLite keeps beside it, accessible only to their owner.
struct DatabaseFile {
    let path: String
    /// The user who must own these files.
    var user: UInt32 = geteuid()

    /// - Throws: `.cannotOpen` if it is not a regular file, if `checkPlace` refuses it, or if it has several hard links. SQLite
    ///   keeps its log beside the name that it gets. Two programs with different names would miss each other's log and destroy
    ///   the database.
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

    /// Checks the owner of existing, writable files, because another owner could read and change the data.
    ///
    /// - Throws: `.cannotOpen` if another user owns one.
    func checkOwner() throws(PhoneError) {
        for file in [realPath] + companions {
            var information = stat()
            guard stat(file, &information) == 0, information.st_uid != user, access(file, W_OK) == 0 else { continue }
            throw .cannotOpen(
                path: path,
                reason: "\(file) belongs to user \(information.st_uid), take it over (chown) or name another database")
        }
    }

    /// Checks the path without links, because SQLite puts the log there. If that path is not UTF-8, `log` would name another
    /// file.
    ///
    /// - Throws: `.cannotOpen` if the path is not UTF-8.
    func checkPlace() throws(PhoneError) {
        let directory = FilePath(path).removingLastComponent().string
        // If the file does not exist yet, its directory decides.
        guard let resolved = realpath(path, nil) ?? realpath(directory.isEmpty ? "." : directory, nil) else { return }
        defer { free(resolved) }
        guard String(validatingCString: resolved) == nil else { return }
        throw .cannotOpen(path: path, reason: "its full path is not UTF-8, move it to a directory whose path is")
    }

    /// Creates a missing file, because SQLite would let other users read it.
    func create() {
        guard access(path, F_OK) != 0 else { return }
        // No connection is open yet, so closing the file releases no lock of SQLite. If creation fails, SQLite reports why.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes other users' permissions from existing files. Files that this user may not change stay as they are.
    func tighten() {
        for file in [realPath] + companions {
            var information = stat()
            guard stat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
                information.st_mode & 0o077 != 0
            else { continue }
            _ = chmod(file, information.st_mode & 0o700)
        }
    }

    /// The log and its index, which SQLite keeps beside the database.
    var companions: [String] {
        let place = realPath
        return [place + "-wal", place + "-shm"]
    }

    var log: String { realPath + "-wal" }

    /// The path without links. SQLite keeps the other files beside it.
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
