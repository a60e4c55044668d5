import Glibc
import SystemPackage

/// Descriptors of the operating system that no child process inherits. Whoever gets one closes it.
package enum Descriptors {
    /// Takes the numbers of a standard input, output or error that the process was started without, before a file gets one
    /// of them and is read or written as if it were the terminal. Reading the input and writing the others fail as before.
    package static func reserveStandardNumbers() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free: those below are taken.
            _ = Glibc.open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// open(2).
    ///
    /// - Parameter flags: those of open(2); `O_CLOEXEC` is added.
    package static func open(
        _ path: String, _ flags: CInt, permissions: mode_t = 0o600
    ) throws(HostSystemError) -> CInt {
        try checked(Glibc.open(path, flags | O_CLOEXEC, permissions), "open")
    }

    /// A socket of sequenced packets that never blocks.
    package static func packetSocket(_ family: CInt, protocolNumber: CInt = 0) throws(HostSystemError) -> CInt {
        let type = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        return try checked(Glibc.socket(family, CInt(type), protocolNumber), "socket")
    }

    /// Two AF_UNIX sockets that are connected to each other and block.
    package static func socketPair(_ type: __socket_type) throws(HostSystemError) -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        _ = try checked(socketpair(AF_UNIX, CInt(type.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends), "socketpair")
        return (ends[0], ends[1])
    }

    /// Both ends of a pipe; they block.
    package static func pipe() throws(HostSystemError) -> (reading: CInt, writing: CInt) {
        do throws(Errno) {
            let ends = try FileDescriptor.pipe(options: .closeOnExec)
            return (ends.readEnd.rawValue, ends.writeEnd.rawValue)
        } catch {
            throw HostSystemError("pipe", error)
        }
    }

    /// A copy of a descriptor whose number is at least `lowest`.
    package static func duplicate(_ descriptor: CInt, from lowest: CInt) throws(HostSystemError) -> CInt {
        try checked(fcntl(descriptor, F_DUPFD_CLOEXEC, lowest), "fcntl")
    }

    /// Keeps child processes from inheriting a descriptor. A child that starts between the call that made the
    /// descriptor and this one inherits it all the same.
    package static func closeOnExec(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Makes reading and writing return at once where they would wait.
    package static func setNonBlocking(_ descriptor: CInt) throws(HostSystemError) {
        let flags = try checked(fcntl(descriptor, F_GETFL), "fcntl")
        _ = try checked(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK), "fcntl")
    }

    /// Whether a peer may get a descriptor: not the last 16 that the process may have, or the last quarter where those are
    /// fewer than 64. Without any the process ends: libdispatch, which runs Swift's tasks, reads /proc/self/task to count
    /// its threads, and traps where it cannot.
    ///
    /// - Parameter descriptor: any that is open.
    package static func haveRoomForPeer(beside descriptor: CInt) -> Bool {
        // The lowest number that is free.
        guard let next = try? duplicate(descriptor, from: 0) else { return false }
        close(next)
        guard let limit else { return true }
        return UInt(next) < limit - min(16, limit / 4)
    }

    /// The most descriptors that the process may have open (`RLIMIT_NOFILE`, getrlimit(2)); nil where the system does not
    /// say.
    package static var limit: UInt? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur
    }

    private static func checked(_ result: CInt, _ call: String) throws(HostSystemError) -> CInt {
        guard result >= 0 else { throw HostSystemError(call, Errno(rawValue: errno)) }
        return result
    }
}
