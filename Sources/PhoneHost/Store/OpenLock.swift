import Foundation
import SystemPackage

/// A lock for opening a database that only one process at a time holds.
///
/// SQLite does not serialise the switch to WAL mode and the creation of tables, and a host and a command often start together.
/// The lock is on the directory, so it needs no file and ends with the process.
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
        // The kernel offers no lock with a time limit, and a stopped process would block a wait without one forever.
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
        // Unlock explicitly, because a child process that is just starting may have a copy of the descriptor.
        _ = flock(directory.rawValue, LOCK_UN)
        try? directory.close()
    }
}
