import Foundation
import SystemPackage

/// A database file, with the write-ahead log and its index, which SQLite keeps beside it. Only their owner may read or
/// write them.
struct DatabaseFile {
    let path: String
    var user: UInt32 = geteuid()

    /// Checks that the path is UTF-8, and that the file, if it exists, is a regular file without further hard links.
    ///
    /// SQLite names its log after the database's path. If two programs open one file by two names, each program uses
    /// its own log, and together they destroy the database.
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

    /// Checks that `user` owns the database, its log and its index, because a different owner could read and change the
    /// data. Ignores files that this process cannot write.
    func checkOwner() throws(PhoneError) {
        for file in [realPath] + companions {
            var information = stat()
            guard stat(file, &information) == 0, information.st_uid != user, access(file, W_OK) == 0 else { continue }
            throw .cannotOpen(
                path: path,
                reason: "\(file) belongs to user \(information.st_uid), take it over (chown) or name another database")
        }
    }

    /// Checks that the path, with symbolic links resolved, is UTF-8. A Swift string would replace other bytes, and the
    /// phone would look for the log under a wrong name.
    func checkPlace() throws(PhoneError) {
        let directory = FilePath(path).removingLastComponent().string
        // If the file does not exist yet, this checks the path of its directory.
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

    /// Removes the permissions of all users but the owner from the database, its log and its index, if they exist.
    /// Ignores files whose mode this user may not change.
    func tighten() {
        for file in [realPath] + companions {
            var information = stat()
            guard stat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
                information.st_mode & 0o077 != 0
            else { continue }
            _ = chmod(file, information.st_mode & 0o700)
        }
    }

    /// The paths of the write-ahead log and of its index.
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

/// A lock that one process at a time holds while it opens a database.
///
/// SQLite serializes neither the switch to WAL mode nor the creation of tables. A serving process and a command often start
/// together. The lock is on the database's directory. It needs no file, and the kernel releases it when the process ends.
struct OpenLock {
    private let directory: FileDescriptor

    /// Waits for the lock, at most `timeout` seconds.
    init(directory: String, path: String, timeout: TimeInterval) throws(PhoneError) {
        do {
            self.directory = try FileDescriptor.open(
                FilePath(directory), .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw .cannotOpen(path: path, reason: String(describingErrno: error))
        }
        // flock(2) has no time limit, and another process that holds the lock may be stopped.
        let attempts = max(1, Int(timeout * 100))
        for _ in 0..<attempts {
            if flock(self.directory.rawValue, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { return }
            usleep(10_000)
        }
        try? self.directory.close()
        throw .locked(path: path)
    }

    func end() {
        // A child process that is just starting may have a copy of the descriptor, which would hold the lock.
        _ = flock(directory.rawValue, LOCK_UN)
        try? directory.close()
    }
}
