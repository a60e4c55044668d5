import Glibc
import HostSystem
import Synchronization
import SystemPackage

/// A directory that only this user enters (mode 0700), where sockets are served.
public struct SocketDirectory: Hashable, Sendable {
    /// Where it is.
    public let path: String

    /// The directory at `path`, created with mode 0700 where it is missing, and the missing ones above it too.
    ///
    /// - Throws: `.unsafeDirectory` where it is no directory, belongs to another user or is open to others; `.system`
    ///   where it cannot be created.
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

    /// What is wrong with a directory of this mode and owner, if anything, for this user.
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
    /// The most bytes of a path: `sun_path` has 108 on Linux (unix(7)), and a zero ends the text.
    static let longestPath = 107

    private var address: sockaddr_un

    /// The address of `path`.
    ///
    /// - Throws: `.pathTooLong` for more than 107 bytes.
    package init(path: String) throws(WormholeError) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= UnixAddress.longestPath else {
            throw .pathTooLong(path: path, limit: UnixAddress.longestPath)
        }
        address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls a C function with the address as it wants it.
    func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Connects to an AF_UNIX SOCK_SEQPACKET socket that a process of its own user serves.
public struct UnixConnector: TransportConnector {
    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int

    /// A connector to the socket at `path`.
    ///
    /// - Parameters:
    ///   - user: the user whose process has to serve it.
    ///   - largestDatagram: the most bytes of one datagram, at least `LinkLimits.smallestSDU`.
    public init(
        path: String, user: UInt32 = geteuid(), largestDatagram: Int = UnixListener.usualLargestDatagram
    ) {
        self.path = path
        expectedUser = user
        self.largestDatagram = largestDatagram
    }

    /// Connects, without waiting.
    ///
    /// - Throws: `.nobodyListening` where nobody serves the socket yet; `.foreignPeer` where another user does; `.pathTooLong`;
    ///   `.system`.
    public func connect() async throws(WormholeError) -> any DatagramTransport {
        let socket = try DatagramSocket.connect(toPath: path, ofUser: expectedUser)
        return SocketTransport(socket, from: try socket.peer(ofUser: expectedUser), largestDatagram: largestDatagram)
    }
}

/// Serves an AF_UNIX SOCK_SEQPACKET socket in a directory of its own user.
public final class UnixListener: TransportListener {
    /// The usual limit for one datagram over AF_UNIX: room for 16 KiB of a file and the frame around it. The system carries more;
    /// this limits the memory that a peer can make this process use.
    public static let usualLargestDatagram = 16_400

    /// The connections that wait for `accept()`; further ones fail at once, as where nobody listens.
    static let mostWaiting: CInt = 128

    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int
    private let socket: ListeningSocket
    /// Held until `close()`.
    private let lock: Mutex<ServiceLock?>

    /// Serves the socket `name` in `directory`. A socket that a crash left behind is replaced.
    ///
    /// - Parameters:
    ///   - user: the user whose processes may connect.
    ///   - largestDatagram: the most bytes of one datagram on each channel.
    /// - Throws: `.alreadyServed` with the number of the process that does; `.pathTooLong`; `.system`.
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
        // Only now: an object that is complete removes the socket of this name when it goes, and until here that may be
        // another program's.
        self.socket = socket
        self.lock = Mutex(lock)
    }

    /// Waits for the next peer of the expected user.
    ///
    /// - Throws: `.foreignPeer` for one of another user, whose channel is closed; `.closed`; `.system`, as when the
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
        // In this order, so that no socket of a successor is removed.
        socket.close { _ = unlink(path) }
        lock.withLock { $0 = nil }
    }

    deinit { close() }
}
