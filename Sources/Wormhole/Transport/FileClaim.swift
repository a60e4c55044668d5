import Glibc
import HostSystem
import Synchronization

/// The right to serve a file, whatever name it is opened by: a lock on the file itself (flock(2)), so on its device and inode,
/// which the system releases when the process ends, however it ends.
///
/// Its descriptor outlives the claim: closing any descriptor of a file ends every lock of fcntl(2) that the process has on it,
/// and SQLite's are such locks. It is closed when the file has no name left.
package final class FileClaim: Sendable {
    /// What makes two names the same file.
    private struct Identity: Hashable {
        private let device: dev_t
        private let inode: ino_t

        init(_ information: stat) {
            device = information.st_dev
            inode = information.st_ino
        }
    }

    private struct Known {
        let descriptor: CInt
        var isClaimed = false
    }

    /// The files that this process has ever claimed.
    private static let files = Mutex<[Identity: Known]>([:])

    private let identity: Identity

    /// Claims the file at `path`, which is created, for this user alone, where it is missing.
    ///
    /// - Throws: `.alreadyServed` where it is claimed by its name or another one; `.system`.
    package init(fileAt path: String) throws(WormholeError) {
        identity = try FileClaim.files.withLock { files throws(WormholeError) in
            FileClaim.closeRemoved(&files)
            var information = stat()
            if stat(path, &information) != 0 || files[Identity(information)] == nil {
                let descriptor = try SocketCalls.system(path) { () throws(HostSystemError) in
                    try Descriptors.open(path, O_RDWR | O_CREAT)
                }
                guard fstat(descriptor, &information) == 0 else { throw SocketCalls.failure("fstat", path) }
                files[Identity(information)] = Known(descriptor: descriptor)
            }
            let identity = Identity(information)
            guard let known = files[identity], !known.isClaimed else {
                throw .alreadyServed(path: path, process: getpid())
            }
            try FileClaim.lock(known.descriptor, path)
            files[identity]?.isClaimed = true
            return identity
        }
    }

    deinit {
        FileClaim.files.withLock { files in
            guard let known = files[identity] else { return }
            _ = flock(known.descriptor, LOCK_UN)
            files[identity]?.isClaimed = false
        }
    }

    private static func lock(_ descriptor: CInt, _ path: String) throws(WormholeError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        let failure = SocketCalls.failure("flock", path)
        guard case .system(_, _, .wouldBlock) = failure else { throw failure }
        throw .alreadyServed(path: path, process: nil)
    }

    /// Closes those that nobody claims and that have no name left: no database is open in them any more.
    private static func closeRemoved(_ files: inout [Identity: Known]) {
        for (identity, known) in files {
            var information = stat()
            guard !known.isClaimed, fstat(known.descriptor, &information) == 0, information.st_nlink == 0 else {
                continue
            }
            close(known.descriptor)
            files[identity] = nil
        }
    }
}
