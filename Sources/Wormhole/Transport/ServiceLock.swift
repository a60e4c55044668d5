import Glibc
import Synchronization
import SystemPackage

/// The right to serve a socket, or to use a file alone: a lock on a file beside it, which the system takes back when
/// the process ends, however it ends.
///
/// A socket that a crash left behind cannot be told from one that is served by looking at it; the lock can. The file
/// stays when the lock is given up, because removing it would let two processes hold locks on two files of one name.
package final class ServiceLock: Sendable {
    private let descriptor: CInt

    /// Takes the lock for the socket or the file at `path`.
    ///
    /// - Throws: `.alreadyServed` where another holds it; `.system`.
    package init(forFileAt path: String) throws(WormholeError) {
        let file = path + ".lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SocketCalls.failure("open", file) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = SocketCalls.failure("flock", file)
            let holder = ServiceLock.holder(descriptor)
            _ = Glibc.close(descriptor)
            guard case .system(_, _, .wouldBlock) = failure else { throw failure }
            throw .alreadyServed(path: path, process: holder)
        }
        self.descriptor = descriptor
        let number = Array("\(getpid())\n".utf8)
        // The number is for a person to read; the lock counts without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, number, number.count, 0)
    }

    deinit {
        // A process that is being started elsewhere in this one has the descriptor too, until it runs its program; to
        // close ours would not end the lock before that.
        _ = flock(descriptor, LOCK_UN)
        _ = Glibc.close(descriptor)
    }

    /// The process number that the holder has written.
    private static func holder(_ descriptor: CInt) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes.prefix(while: { $0 != UInt8(ascii: "\n") && $0 != 0 }), as: UTF8.self))
    }
}
