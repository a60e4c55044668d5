import Foundation
import SystemPackage

/// A lock for opening a database, which one process at a time holds.
///
/// SQLite itself does not serialise switching to WAL mode and creating the tables, and a host and a command often start
/// together.
/// The lock is on the directory, so it needs no file of its own and ends with the process.
struct OpenLock {
    private let directory: FileDescriptor

    /// Waits for the lock, at most `timeout` seconds.
    ///
    /// - Throws: `.locked` where another process holds it longer, `.cannotOpen` where the directory cannot be
    ///   read.
    init(directory: String, path: String, timeout: TimeInterval) throws(PhoneError) {
        do {
            self.directory = try FileDescriptor.open(
                FilePath(directory), .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw .cannotOpen(path: path, reason: String(describingErrno: error))
        }
        // The kernel has no lock with a time limit, and a wait without one could last as long as a stopped process.
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
        // Also where a child process that is being started has a copy of the descriptor.
        _ = flock(directory.rawValue, LOCK_UN)
        try? directory.close()
    }
}
