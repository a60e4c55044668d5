import Foundation
import SystemPackage

/// The file of a database, with the two that SQLite keeps beside it: for its owner alone.
struct DatabaseFile {
    let path: String
    /// The user whose files these have to be.
    var user: UInt32 = geteuid()

    /// - Throws: `.cannotOpen` for what is no file, for a place that `checkPlace` refuses, and for a file with several names by
    ///   hard links. SQLite keeps its log beside the name that it is given: two programs with different names would destroy
    ///   the database, and what is in the log of one name is not there under the other.
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

    /// Looks whose the files are that are there and could be written: who owns one of them reads what is written, and changes it.
    ///
    /// - Throws: `.cannotOpen` where one is another user's.
    func checkOwner() throws(PhoneError) {
        for file in [realPath] + companions {
            var information = stat()
            guard stat(file, &information) == 0, information.st_uid != user, access(file, W_OK) == 0 else { continue }
            throw .cannotOpen(
                path: path,
                reason: "\(file) belongs to user \(information.st_uid), take it over (chown) or name another database")
        }
    }

    /// Looks at the path without links, under which SQLite finds the log. A `String` has Unicode only: if other bytes are in that
    /// path, `log` would name another file.
    ///
    /// - Throws: `.cannotOpen` if it is not UTF-8.
    func checkPlace() throws(PhoneError) {
        let directory = FilePath(path).removingLastComponent().string
        // Of a file that is not there yet, the directory says it.
        guard let resolved = realpath(path, nil) ?? realpath(directory.isEmpty ? "." : directory, nil) else { return }
        defer { free(resolved) }
        guard String(validatingCString: resolved) == nil else { return }
        throw .cannotOpen(path: path, reason: "its full path is not UTF-8, move it to a directory whose path is")
    }

    /// Creates an empty file where there is none, which SQLite would let others read.
    func create() {
        guard access(path, F_OK) != 0 else { return }
        // Nobody has it open yet, so closing it ends no lock of SQLite's. SQLite finds as well why it cannot be created.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes away what others than the owner may do with files that are there already. Where that is not this user's to change,
    /// they stay as they are.
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

    /// The write-ahead log.
    var log: String { realPath + "-wal" }

    /// The path without links, under which SQLite keeps the other files.
    var realPath: String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        // A file that is not there yet will be in this directory.
        let file = FilePath(path)
        let directory = file.removingLastComponent().string
        guard let name = file.lastComponent, let resolved = realpath(directory.isEmpty ? "." : directory, nil) else {
            return path
        }
        defer { free(resolved) }
        return FilePath(String(cString: resolved)).appending(name).string
    }
}
