import Glibc
import Synchronization
import SystemPackage

/// Opens and checks file descriptors. The caller closes them, and child processes do not inherit them.
package enum Descriptors {
    /// Opens /dev/null for each of the descriptors 0 to 2 that is not open. If descriptor 1 stayed free, the next file
    /// that the process opens could get number 1, and receive the standard output. The new descriptor 0 cannot be read,
    /// and the new descriptors 1 and 2 cannot be written.
    package static func reserveStandardNumbers() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // open(2) takes the lowest free number, and all lower ones are in use.
            _ = Glibc.open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    package static func open(
        _ path: String, _ flags: CInt, permissions: mode_t = 0o600
    ) throws(HostSystemError) -> CInt {
        try checked(Glibc.open(path, flags | O_CLOEXEC, permissions), "open")
    }

    package static func packetSocket(_ family: CInt, protocolNumber: CInt = 0) throws(HostSystemError) -> CInt {
        let type = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        return try checked(Glibc.socket(family, CInt(type), protocolNumber), "socket")
    }

    /// Makes a connected pair of AF_UNIX sockets in blocking mode.
    package static func socketPair(_ type: __socket_type) throws(HostSystemError) -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        _ = try checked(socketpair(AF_UNIX, CInt(type.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends), "socketpair")
        return (ends[0], ends[1])
    }

    /// Makes a pipe with both ends in blocking mode.
    package static func pipe() throws(HostSystemError) -> (reading: CInt, writing: CInt) {
        do throws(Errno) {
            let ends = try FileDescriptor.pipe(options: .closeOnExec)
            return (ends.readEnd.rawValue, ends.writeEnd.rawValue)
        } catch {
            throw HostSystemError("pipe", error)
        }
    }

    /// Copies a descriptor. The copy gets the lowest free number that is not below `lowest`.
    package static func duplicate(_ descriptor: CInt, from lowest: CInt) throws(HostSystemError) -> CInt {
        try checked(fcntl(descriptor, F_DUPFD_CLOEXEC, lowest), "fcntl")
    }

    package static func closeOnExec(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    package static func setNonBlocking(_ descriptor: CInt) throws(HostSystemError) {
        let flags = try checked(fcntl(descriptor, F_GETFL), "fcntl")
        _ = try checked(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK), "fcntl")
    }

    /// Whether the process may open a descriptor for one more peer. The last 16 descriptors are reserved, or the last quarter
    /// if the limit is below 64. Without a free descriptor the process would crash: libdispatch, which runs Swift's tasks,
    /// reads /proc/self/task and traps if it cannot.
    /// - Parameter descriptor: any open descriptor. This function copies the descriptor, and closes the copy.
    package static func haveRoomForPeer(beside descriptor: CInt) -> Bool {
        // The copy gets the lowest free number, which tells how many are in use.
        guard let next = try? duplicate(descriptor, from: 0) else { return false }
        close(next)
        guard let limit else { return true }
        return UInt(next) < limit - min(16, limit / 4)
    }

    /// The maximum number of descriptors that this process may have (`RLIMIT_NOFILE`); nil if getrlimit(2) fails.
    package static var limit: UInt? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur
    }

    /// Whether the file system of `path` supports locks of fcntl(2). Tests a new file, because closing `path` would release
    /// this process's locks on `path`. Also true if the new file cannot be created.
    package static func canLock(beside path: String) -> Bool {
        let probe = "\(path)-\(getpid())"
        guard let file = try? open(probe, O_RDWR | O_CREAT | O_EXCL) else { return true }
        defer { close(file) }
        unlink(probe)
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        return fcntl(file, F_SETLK, &lock) == 0 || !Errno(rawValue: errno).meansNoLocks
    }

    private static func checked(_ result: CInt, _ call: String) throws(HostSystemError) -> CInt {
        guard result >= 0 else { throw HostSystemError(call, Errno(rawValue: errno)) }
        return result
    }
}

/// Owns a descriptor, and closes it exactly once: in `close()`, or when this object is released. Thread-safe.
///
/// The method `with` is inlinable, because an unspecialized call takes as long as a system call.
@usableFromInline
package final class OwnedDescriptor: Sendable {
    @usableFromInline let descriptor: Mutex<CInt?>

    package init(_ number: CInt) { descriptor = Mutex(number) }

    deinit { close() }

    /// The descriptor; nil after `close()`. The caller must not close it, nor use it after `close()`.
    package var number: CInt? { descriptor.withLock { $0 } }

    /// Runs `body` with the descriptor. After `close()`, returns nil without running it. `close()` waits until `body` returns.
    @inlinable package func with<Value, Failure: Error>(_ body: (CInt) throws(Failure) -> Value) throws(Failure)
        -> Value?
    {
        try descriptor.withLock { number throws(Failure) in
            guard let number else { return nil }
            return try body(number)
        }
    }

    /// Runs `last`, closes the descriptor, and returns its number. If the descriptor is closed already, does nothing and
    /// returns nil.
    @discardableResult
    package func close(after last: (CInt) -> Void = { _ in }) -> CInt? {
        descriptor.withLock { descriptor in
            guard let number = descriptor else { return nil }
            descriptor = nil
            last(number)
            _ = Glibc.close(number)
            return number
        }
    }
}

extension FileDescriptor {
    /// - Throws: the system's error; `.fileTooLarge` if the file has more than `most` bytes.
    package static func bytes(ofFile path: String, atMost most: Int) throws(Errno) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
            return try file.closeAfter { try file.rest(atMost: most) }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Reads from the present position to the end of the file.
    /// - Throws: the system's error; `.fileTooLarge` if more than `most` bytes are left.
    package func rest(atMost most: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        do {
            while true {
                let count = try chunk.withUnsafeMutableBytes { try read(into: $0) }
                guard count > 0 else { return bytes }
                guard bytes.count + count <= most else { throw Errno.fileTooLarge }
                bytes += chunk[..<count]
            }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }
}
