import Foundation
import SystemPackage

/// A lock that one process at a time holds while it opens a database.
///
/// SQLite does not serialize the switch to WAL mode and the creation of tables, and a serving process and a command often start
/// together. The lock is on the database's directory. It needs no file, and the kernel releases it when the process ends.
struct OpenLock {
    private let directory: FileDescriptor

    /// Waits for the lock, at most `timeout` seconds.
    ///
    /// - Throws: `.locked` if another process holds it longer, `.cannotOpen` if the directory cannot be read.
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
        // A child process that is just starting may have a copy of the descriptor, so closing it alone would not release the
        // lock.
        _ = flock(directory.rawValue, LOCK_UN)
        try? directory.close()
    }
}
