import Glibc
import HostSystem
import Synchronization

/// The exclusive right to serve the database in a file. It is a flock(2) lock on the file's inode, so it covers all hard links
/// to the file.
///
/// When a claim ends, this process keeps the file's descriptor open, because closing it would release SQLite's fcntl(2) locks
/// on the file. If the file is deleted, the next claim of any file closes the descriptor.
package final class FileClaim: Sendable {
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

    private static let files = Mutex<[Identity: Known]>([:])

    private let identity: Identity

    /// Claims a file. Creates the file with mode 0600 if it is missing.
    /// - Throws: `.alreadyServed` if this process or another has claimed the file, even through another hard link; `.system`.
    package init(fileAt path: String) throws(WormholeError) {
        identity = try FileClaim.files.withLock { files throws(WormholeError) in
            FileClaim.closeRemoved(&files)
            var information = stat()
            if stat(path, &information) != 0 || files[Identity(information)] == nil {
                let descriptor = try SocketCalls.open(path, O_RDWR | O_CREAT)
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

    /// Closes the descriptor of each deleted file that has no claim. SQLite no longer uses such a file.
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
