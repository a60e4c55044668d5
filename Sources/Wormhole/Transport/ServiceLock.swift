import Glibc
import HostSystem

/// The exclusive right to serve a socket or to use a file. It is a flock(2) lock on a second file, PATH.lock. If no process
/// holds the lock of a socket, a crashed process has left the socket behind.
///
/// Releasing this object releases the lock, but leaves the lock file. If the file were removed, two processes could hold locks
/// on two different files of that name.
package final class ServiceLock: Sendable {
    private let descriptor: OwnedDescriptor

    /// - Throws: `.alreadyServed` if the lock is held already; `.system`.
    package init(forFileAt path: String) throws(WormholeError) {
        let file = path + ".lock"
        let descriptor = try SocketCalls.open(file, O_RDWR | O_CREAT | O_NOFOLLOW)
        self.descriptor = OwnedDescriptor(descriptor)
        guard SocketCalls.make("flock", { flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            let failure = SocketCalls.failure("flock", file)
            guard case .system(_, _, .wouldBlock) = failure else { throw failure }
            throw .alreadyServed(path: path, process: ServiceLock.holder(descriptor))
        }
        let number = Array("\(getpid())\n".utf8)
        // The process ID is only for error messages. The lock holds without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, number, number.count, 0)
    }

    deinit {
        // A child process that another thread is starting shares the descriptor for a moment. Meanwhile, closing our
        // descriptor would not release the lock.
        descriptor.close { _ = flock($0, LOCK_UN) }
    }

    private static func holder(_ descriptor: CInt) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes.prefix(while: { $0 != UInt8(ascii: "\n") && $0 != 0 }), as: UTF8.self))
    }
}
