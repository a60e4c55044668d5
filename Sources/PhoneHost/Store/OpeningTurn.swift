import Foundation
import SystemPackage

/// The turn at opening a database, which one process at a time has.
///
/// Switching to WAL mode and running migrations do not wait for one another inside SQLite, and a host and a command
/// often start together. The turn is a lock on the directory, so it needs no file of its own and ends with the process.
struct OpeningTurn {
    private let directory: FileDescriptor

    /// Waits for the turn, at most `timeout` seconds.
    ///
    /// - Throws: `.locked` where another process keeps its turn longer, `.cannotOpen` where the directory cannot be
    ///   read.
    init(directory: String, path: String, timeout: TimeInterval) throws(PhoneError) {
        do {
            self.directory = try FileDescriptor.open(
                FilePath(directory), .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw .cannotOpen(path: path, reason: String(describingErrno: error))
        }
        // The kernel has no lock with a time limit, and to wait for ever would hang behind a stopped process.
        let attempts = max(1, Int(timeout * 100))
        for _ in 0..<attempts {
            if flock(self.directory.rawValue, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { return }
            usleep(10_000)
        }
        try? self.directory.close()
        throw .locked(path: path)
    }

    /// Gives the turn to the next process.
    func end() {
        // Also where a process that is just being started has a copy of the descriptor.
        _ = flock(directory.rawValue, LOCK_UN)
        try? directory.close()
    }
}
