import Foundation
import SystemPackage

/// A lock that allows only one program at a time to sync the accounts of a database.
package struct SyncLock: Sendable {
    private let file: FileDescriptor

    /// Waits for the lock, at most `seconds`, without blocking a thread.
    ///
    /// - Throws: `.account(.busy)` if another program holds the lock longer, `.file` if it cannot be created or locked.
    package init(ofDatabase database: String, within seconds: Int) async throws(PhoneError) {
        let path = "\(database)-sync"
        do {
            file = try FileDescriptor.open(
                FilePath(path), .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw .file(path: path, reason: String(describingErrno: error))
        }
        for _ in 0...seconds * 10 {
            if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { return }
            if Errno(rawValue: errno).meansNoLocks {
                try? file.close()
                throw .file(path: path, reason: PhoneError.noLocks)
            }
            // The kernel has no lock with a time limit, so this tries every 100 ms.
            guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { break }
        }
        try? file.close()
        throw .account(.busy)
    }

    package func end() {
        _ = flock(file.rawValue, LOCK_UN)
        try? file.close()
    }
}
