import Glibc
import Synchronization
import SystemPackage

/// Serves an AF_UNIX SOCK_SEQPACKET socket in a directory of its own user.
public final class UnixListener: TransportListener {
    private enum State {
        case listening(CInt, ServiceLock)
        case closed
    }

    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int
    private let state: Mutex<State>

    /// Serves the socket `name` in `directory`. A socket that a crash left behind is replaced.
    ///
    /// - Parameters:
    ///   - user: the user whose processes may connect; this one's unless a test says otherwise.
    ///   - largestDatagram: the most bytes of one datagram on each channel.
    /// - Throws: `.alreadyServed` with the number of the process that does; `.pathTooLong`; `.system`.
    public init(
        _ name: String, in directory: SocketDirectory, user: UInt32 = geteuid(),
        largestDatagram: Int = SocketTransport.largestUnixDatagram
    ) throws(WormholeError) {
        path = directory.path(of: name)
        expectedUser = user
        self.largestDatagram = largestDatagram
        let address = try UnixAddress(path: path)
        let lock = try ServiceLock(forFileAt: path)
        guard unlink(path) == 0 || errno == ENOENT else { throw SocketCalls.failure("unlink", path) }
        let descriptor = socket(AF_UNIX, SocketCalls.type, 0)
        guard descriptor >= 0 else { throw SocketCalls.failure("socket") }
        var failing = "bind"
        var outcome = address.withSocketAddress { bind(descriptor, $0, $1) }
        if outcome == 0 {
            failing = "listen"
            outcome = listen(descriptor, SOMAXCONN)
        }
        guard outcome == 0 else {
            let failure = SocketCalls.failure(failing, path)
            _ = Glibc.close(descriptor)
            throw failure
        }
        state = Mutex(.listening(descriptor, lock))
    }

    /// Waits for the next peer of the expected user.
    ///
    /// - Throws: `.foreignPeer` for one of another user, whose channel is closed; `.closed`; `.system`, as when the process has no
    ///   descriptor left.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        while true {
            guard !Task.isCancelled, let descriptor else { throw .closed }
            if let socket = try acceptWaiting() {
                try socket.peerCredentials().demand(user: expectedUser)
                return SocketTransport(socket, largestDatagram: largestDatagram)
            }
            await SocketPoller.shared.wait(for: descriptor, .readable) { self.descriptor != nil }
        }
    }

    /// Stops listening, removes the socket and gives the right to serve it back.
    public func close() {
        let descriptor: CInt? = state.withLock { state in
            guard case .listening(let descriptor, let lock) = state else { return nil }
            state = .closed
            // In this order, so that no socket of a successor is removed.
            withExtendedLifetime(lock) { _ = unlink(path) }
            _ = Glibc.close(descriptor)
            return descriptor
        }
        if let descriptor { SocketPoller.shared.forget(descriptor) }
    }

    deinit { close() }

    private var descriptor: CInt? {
        state.withLock { state in
            switch state {
            case .listening(let descriptor, _): descriptor
            case .closed: nil
            }
        }
    }

    /// A connection that has come in already, or nil.
    private func acceptWaiting() throws(WormholeError) -> DatagramSocket? {
        let accepted: CInt? = try state.withLock { state throws(WormholeError) in
            guard case .listening(let descriptor, _) = state else { throw .closed }
            while true {
                let accepted = Glibc.accept(descriptor, nil, nil)
                guard accepted < 0 else { return accepted }
                switch Errno(rawValue: errno) {
                case .interrupted, .connectionAbort: continue
                case .wouldBlock: return nil
                default: throw SocketCalls.failure("accept", path)
                }
            }
        }
        guard let accepted else { return nil }
        // accept4 cannot be imported. A child process that starts in between inherits one connection, for as long as it runs.
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        do throws(WormholeError) {
            return try DatagramSocket(owning: accepted)
        } catch {
            _ = Glibc.close(accepted)
            throw error
        }
    }
}
