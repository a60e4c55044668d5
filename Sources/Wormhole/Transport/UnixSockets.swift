import Glibc
import HostSystem
import Synchronization
import SystemPackage

/// A directory for sockets. Only the user of this process can enter it (mode 0700).
public struct SocketDirectory: Hashable, Sendable {
    /// The path of the directory.
    public let path: String

    /// Opens the directory at `path`. If it is missing, creates it and its missing parents with mode 0700.
    ///
    /// - Throws: `.unsafeDirectory` if the path is not a directory, belongs to another user or is open to others; `.system` if
    ///   the directory cannot be examined or created.
    public init(path: String) throws(WormholeError) {
        self.path = path
        var information = stat()
        if lstat(path, &information) != 0 {
            guard Errno(rawValue: errno) == .noSuchFileOrDirectory else { throw SocketCalls.failure("lstat", path) }
            try SocketDirectory.create(path)
            guard lstat(path, &information) == 0 else { throw SocketCalls.failure("lstat", path) }
        }
        if let fault = SocketDirectory.fault(mode: information.st_mode, owner: information.st_uid, user: geteuid()) {
            throw .unsafeDirectory(path: path, fault)
        }
    }

    /// Returns the path of the socket `name` in this directory.
    public func path(of name: String) -> String {
        path.hasSuffix("/") ? path + name : path + "/" + name
    }

    /// Returns why a directory with this mode and owner is not safe for sockets of `user`; nil if it is safe.
    static func fault(mode: mode_t, owner: uid_t, user: uid_t) -> DirectoryFault? {
        guard mode & S_IFMT == S_IFDIR else { return .notADirectory }
        guard owner == user else { return .foreignOwner(user: owner) }
        guard mode & 0o077 == 0 else { return .openToOthers(mode: mode & 0o7777) }
        return nil
    }

    private static func create(_ path: String) throws(WormholeError) {
        if mkdir(path, 0o700) == 0 { return }
        switch Errno(rawValue: errno) {
        case .fileExists: return
        case .noSuchFileOrDirectory:
            var parent = FilePath(path)
            guard parent.removeLastComponent(), !parent.isEmpty else { throw SocketCalls.failure("mkdir", path) }
            try create(parent.string)
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SocketCalls.failure("mkdir", path) }
        default: throw SocketCalls.failure("mkdir", path)
        }
    }
}

/// The address of an AF_UNIX socket in the file system.
package struct UnixAddress {
    /// `sun_path` has 108 bytes on Linux (unix(7)), the last one for the terminating zero.
    static let longestPath = 107

    private var address: sockaddr_un

    /// - Throws: `.pathTooLong` if the path is empty or has more than 107 bytes.
    package init(path: String) throws(WormholeError) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= UnixAddress.longestPath else {
            throw .pathTooLong(path: path, limit: UnixAddress.longestPath)
        }
        address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Connects to an AF_UNIX SOCK_SEQPACKET socket that a process of the expected user serves.
public struct UnixConnector: TransportConnector {
    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int

    /// - Parameters:
    ///   - user: the ID of the user to whom the serving process must belong; by default this process's effective user.
    ///   - largestDatagram: the maximum size in bytes of a datagram to send or receive, at least `LinkLimits.smallestSDU`.
    public init(
        path: String, user: UInt32 = geteuid(), largestDatagram: Int = UnixListener.usualLargestDatagram
    ) {
        self.path = path
        expectedUser = user
        self.largestDatagram = largestDatagram
    }

    /// Connects without waiting.
    /// - Throws: `.noListener` if no process serves the socket yet; `.foreignPeer` if a process of another user serves it;
    ///   `.pathTooLong`; `.system`, with `.wouldBlock` if the listener's queue is full.
    public func connect() async throws(WormholeError) -> any DatagramTransport {
        let socket = try DatagramSocket.connect(toPath: path, ofUser: expectedUser)
        return SocketTransport(socket, from: try socket.peer(ofUser: expectedUser), largestDatagram: largestDatagram)
    }
}

/// Listens on an AF_UNIX SOCK_SEQPACKET socket in a `SocketDirectory`.
public final class UnixListener: TransportListener {
    /// The default for the maximum size of a datagram, in bytes. Such a datagram has room for a frame with 16 KiB of a file.
    /// The system could carry more, but this limit bounds the memory that a peer can use in this process.
    public static let usualLargestDatagram = 16_400

    /// The backlog for listen(2), which limits how many connections wait to be accepted. If the queue is full, a non-blocking
    /// connect(2) fails with EAGAIN.
    static let mostWaiting: CInt = 128

    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int
    private let socket: ListeningSocket
    private let lock: Mutex<ServiceLock?>

    /// Creates the socket `name` in `directory`, and listens for processes of `user`. Replaces a socket that a crashed process
    /// left behind.
    ///
    /// - Throws: `.alreadyServed` if the socket is served already; `.pathTooLong`; `.system`.
    public init(
        _ name: String, in directory: SocketDirectory, user: UInt32 = geteuid(),
        largestDatagram: Int = UnixListener.usualLargestDatagram
    ) throws(WormholeError) {
        let path = directory.path(of: name)
        self.path = path
        expectedUser = user
        self.largestDatagram = largestDatagram
        let address = try UnixAddress(path: path)
        let lock = try ServiceLock(forFileAt: path)
        guard SocketCalls.make("unlink", { unlink(path) }) == 0 || errno == ENOENT else {
            throw SocketCalls.failure("unlink", path)
        }
        let descriptor = try SocketCalls.system { () throws(HostSystemError) in
            try Descriptors.packetSocket(AF_UNIX)
        }
        let socket = ListeningSocket(owning: descriptor)
        guard SocketCalls.make("bind", { address.withSocketAddress { bind(descriptor, $0, $1) } }) == 0 else {
            throw SocketCalls.failure("bind", path)
        }
        guard SocketCalls.make("listen", { listen(descriptor, UnixListener.mostWaiting) }) == 0 else {
            throw SocketCalls.failure("listen", path)
        }
        // This comes last: a complete object removes the socket at its path when it is released. Before this point
        // that may be another program's socket.
        self.socket = socket
        self.lock = Mutex(lock)
    }

    /// Waits until a process of the expected user connects, and returns the channel to it.
    ///
    /// - Throws: `.foreignPeer` if a process of another user has connected (its channel is closed, and the caller may call
    ///   again); `.closed` if the listener is closed or the task is cancelled; `.system`, for example if this process has no
    ///   descriptor left.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        while !Task.isCancelled {
            if let socket = try socket.acceptWaiting() {
                let peer = try socket.peer(ofUser: expectedUser)
                return SocketTransport(socket, from: peer, largestDatagram: largestDatagram)
            }
            try await socket.waitForConnection()
        }
        throw .closed
    }

    /// Stops listening, removes the socket, and lets another process serve its path. Accepted channels stay open.
    public func close() {
        // The lock is released last, so that no successor's socket is removed.
        socket.close { _ = unlink(path) }
        lock.withLock { $0 = nil }
    }

    deinit { close() }
}
