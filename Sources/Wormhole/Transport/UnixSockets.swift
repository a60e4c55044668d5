import Glibc
import HostSystem
import Synchronization
import SystemPackage

/// A directory for sockets that only this user can enter (mode 0700).
public struct SocketDirectory: Hashable, Sendable {
    /// The path of the directory.
    public let path: String

    /// Opens the directory at `path`. If it is missing, creates it and its missing parents with mode 0700.
    ///
    /// - Throws: `.unsafeDirectory` if the path is not a directory, belongs to another user or is open to others; `.system` if it
    ///   cannot be created.
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

    /// The path of the socket `name` in this directory.
    public func path(of name: String) -> String {
        path.hasSuffix("/") ? path + name : path + "/" + name
    }

    /// Why the directory is not safe; nil if it is safe.
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

/// Connects to an AF_UNIX SOCK_SEQPACKET socket. The serving process must belong to this user by default.
public struct UnixConnector: TransportConnector {
    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int

    /// - Parameters:
    ///   - user: the user that must own the serving process.
    ///   - largestDatagram: the most bytes of a datagram, at least `LinkLimits.smallestSDU`.
    public init(
        path: String, user: UInt32 = geteuid(), largestDatagram: Int = UnixListener.usualLargestDatagram
    ) {
        self.path = path
        expectedUser = user
        self.largestDatagram = largestDatagram
    }

    /// Connects without waiting. Throws `.noListener` if no process serves the socket yet; `.foreignPeer` if another user
    /// does; `.pathTooLong`; `.system`.
    public func connect() async throws(WormholeError) -> any DatagramTransport {
        let socket = try DatagramSocket.connect(toPath: path, ofUser: expectedUser)
        return SocketTransport(socket, from: try socket.peer(ofUser: expectedUser), largestDatagram: largestDatagram)
    }
}

/// Serves an AF_UNIX SOCK_SEQPACKET socket in a directory of its own user.
public final class UnixListener: TransportListener {
    /// The default for the most bytes of a datagram: 16 KiB of a file, and the frame's header. The system could carry more, but
    /// the limit bounds the memory that a peer can use in this process.
    public static let usualLargestDatagram = 16_400

    /// The most connections that wait. Further ones fail as if no process listened.
    static let mostWaiting: CInt = 128

    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int
    private let socket: ListeningSocket
    /// Held until `close()`.
    private let lock: Mutex<ServiceLock?>

    /// Serves the socket `name` in `directory` for processes of `user`. A socket that a crash left behind is replaced.
    ///
    /// - Throws: `.alreadyServed` with the server's process ID; `.pathTooLong`; `.system`.
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

    /// Waits for the next peer of the expected user.
    ///
    /// - Throws: `.foreignPeer` after a peer of another user, whose channel is closed; `.closed`; `.system`, for example if the
    ///   process has no descriptor left.
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

    /// Stops listening, removes the socket and releases its lock.
    public func close() {
        // The lock is released last, so that no successor's socket is removed.
        socket.close { _ = unlink(path) }
        lock.withLock { $0 = nil }
    }

    deinit { close() }
}
