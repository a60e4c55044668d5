import Glibc
import HostSystem
import SystemPackage
import WatchLink

/// A `DatagramTransport` over a socket: AF_UNIX, and L2CAP once its socket is connected.
package struct SocketTransport: DatagramTransport {
    package let peer: TransportPeer
    private let socket: DatagramSocket
    package let largestDatagram: Int
    private let largestArriving: Int

    /// Makes a connected socket a transport.
    ///
    /// - Parameters:
    ///   - peer: who is at the other end, where somebody vouches for it.
    ///   - largestDatagram: the most bytes of one datagram to send, at least `LinkLimits.smallestSDU`.
    ///   - largestArriving: the most bytes of one to receive, where that differs.
    package init(
        _ socket: DatagramSocket, from peer: TransportPeer = .unknown,
        largestDatagram: Int = UnixListener.usualLargestDatagram, largestArriving: Int? = nil
    ) {
        let arriving = largestArriving ?? largestDatagram
        precondition(
            min(largestDatagram, arriving) >= LinkLimits.smallestSDU, "a channel carries the longest control frame")
        self.peer = peer
        self.socket = socket
        self.largestDatagram = largestDatagram
        self.largestArriving = arriving
    }

    package var arrivals: (any TaskExecutor)? { SocketPoller.shared }

    nonisolated(nonsending) package func send(_ datagram: [UInt8]) async throws(WormholeError) {
        while try !sendAtOnce(datagram) { try await wait(.writable) }
    }

    package func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        guard datagram.count <= largestDatagram else {
            throw .datagramTooLong(bytes: datagram.count, limit: largestDatagram)
        }
        switch try socket.send(datagram.span) {
        case .sent: return true
        case .busy: return false
        }
    }

    nonisolated(nonsending) package func receive() async throws(WormholeError) -> [UInt8] {
        var look = DatagramSocket.Look.first
        while true {
            if let datagram = try next(look) { return datagram }
            try await wait(.readable)
            look = .afterWait
        }
    }

    package func receiveAtOnce() throws(WormholeError) -> [UInt8]? { try next(.first) }

    /// The next datagram; nil where none is waiting.
    private func next(_ look: DatagramSocket.Look) throws(WormholeError) -> [UInt8]? {
        // Most datagrams are far shorter than the longest, so only what has arrived becomes an array.
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: largestArriving) {
            bytes throws(WormholeError) in
            switch try socket.receive(into: bytes, look) {
            // The system has written so many.
            case .datagram(let count): return Array(bytes[..<count])
            case .truncated(let count): throw .datagramTooLong(bytes: count, limit: largestArriving)
            case .closed: throw .closed
            case .nothing: return nil
            }
        }
    }

    /// Whether the peer has closed, or this side.
    var isHungUp: Bool { socket.isHungUp }

    /// Closes the socket; calls that wait for it throw `.closed`.
    package func close() { socket.close() }

    nonisolated(nonsending) private func wait(_ interest: PolledDescriptor.Interest) async throws(WormholeError) {
        guard !Task.isCancelled else { throw .closed }
        try await socket.wait(until: interest)
    }
}

/// A connected SOCK_SEQPACKET socket that never blocks: AF_UNIX, and L2CAP with the same code.
///
/// It is synchronous, for a caller that polls `fileDescriptor` on a thread of its own; `SocketTransport` makes it
/// usable for tasks. All its calls may be made from any thread.
package final class DatagramSocket: Sendable {
    package enum SendOutcome: Hashable, Sendable {
        /// The system took it, whole.
        case sent
        /// There is no room now: wait until the descriptor is writable and send it again.
        case busy
    }

    package enum ReceiveOutcome: Hashable, Sendable {
        /// A datagram of that many bytes is in the buffer.
        case datagram(count: Int)
        /// A datagram of that many bytes was longer than the buffer, and is lost.
        case truncated(count: Int)
        /// No datagram is waiting: wait until the descriptor is readable.
        case nothing
        /// The peer has closed, and everything that it sent was received.
        case closed
    }

    /// How closely `receive` looks where no datagram is waiting.
    package enum Look: Sendable {
        /// It leaves the end of some channels to the wait that follows, which finds it.
        case first
        /// It looks for the end, too.
        case afterWait
    }

    private let descriptor: OwnedDescriptor

    /// Takes over a connected SOCK_SEQPACKET socket that does not block; it is closed with this object.
    package init(owning fileDescriptor: CInt) {
        descriptor = OwnedDescriptor(fileDescriptor)
    }

    /// Two sockets that are connected to each other.
    ///
    /// - Throws: `.system` where the process has no descriptors left.
    package static func pair() throws(WormholeError) -> (DatagramSocket, DatagramSocket) {
        try SocketCalls.system { () throws(HostSystemError) in
            let (near, far) = try Descriptors.socketPair(SOCK_SEQPACKET)
            let ends = (DatagramSocket(owning: near), DatagramSocket(owning: far))
            try Descriptors.setNonBlocking(near)
            try Descriptors.setNonBlocking(far)
            return ends
        }
    }

    /// Connects to the AF_UNIX socket at `path`. The call does not wait.
    ///
    /// - Parameter user: the user whose process has to serve it.
    /// - Throws: `.nobodyListening` where there is no socket or nobody serves it (try again later); `.pathTooLong`;
    ///   `.foreignPeer` where another user serves it, who has got nothing; `.system`, with `.wouldBlock` where the listener's
    ///   queue is full.
    package static func connect(
        toPath path: String, ofUser user: UInt32 = geteuid()
    ) throws(WormholeError) -> DatagramSocket {
        let address = try UnixAddress(path: path)
        let descriptor = try SocketCalls.system { () throws(HostSystemError) in
            try Descriptors.packetSocket(AF_UNIX)
        }
        let socket = DatagramSocket(owning: descriptor)
        guard
            SocketCalls.make("connect", { address.withSocketAddress { Glibc.connect(descriptor, $0, $1) } }) == 0
        else {
            let reason = Errno(rawValue: errno)
            guard reason != .connectionRefused, reason != .noSuchFileOrDirectory else {
                throw .nobodyListening(path: path)
            }
            throw .system(call: "connect", path: path, reason)
        }
        try socket.peer(ofUser: user)
        return socket
    }

    /// The descriptor to poll, or nil once the socket is closed. It stays this object's: neither close it nor use it
    /// after `close()`.
    package var fileDescriptor: CInt? { descriptor.number }

    /// Sends one datagram, or nothing.
    ///
    /// - Parameter datagram: at least one byte; an empty datagram cannot be told from the end.
    /// - Throws: `.datagramTooLong` where the system does not carry that many bytes, and the socket stays usable;
    ///   `.closed` where either side has closed; `.system`.
    package func send(_ datagram: Span<UInt8>) throws(WormholeError) -> SendOutcome {
        precondition(!datagram.isEmpty, "an empty datagram cannot be told from the end of the channel")
        let outcome = try withDescriptor { number throws(WormholeError) -> SendOutcome in
            while true {
                let count = SocketCalls.make("send") {
                    datagram.withUnsafeBufferPointer {
                        Glibc.send(number, $0.baseAddress, $0.count, SocketCalls.sendFlags)
                    }
                }
                guard count < 0 else { return .sent }
                switch Errno(rawValue: errno) {
                case .interrupted: continue
                case .wouldBlock, .noBufferSpace: return .busy
                case .messageTooLong: throw .datagramTooLong(bytes: datagram.count, limit: nil)
                case .brokenPipe, .socketNotConnected, .connectionReset, .connectionAbort, .socketShutdown:
                    throw .closed
                // Over Bluetooth a channel ends with the reason that the controller gives: supervision timeout, keys
                // refused.
                case let reason:
                    throw SocketCalls.isHungUp(number) ? .closed : .system(call: "send", path: nil, reason)
                }
            }
        }
        guard let outcome else { throw .closed }
        return outcome
    }

    /// Copies the next datagram into `buffer`.
    ///
    /// - Throws: `.closed` where this side has closed; `.system`.
    package func receive(
        into buffer: inout MutableSpan<UInt8>, _ look: Look = .afterWait
    ) throws(WormholeError) -> ReceiveOutcome {
        try buffer.withUnsafeMutableBufferPointer { bytes throws(WormholeError) in try receive(into: bytes, look) }
    }

    /// Copies the next datagram into memory that need not be initialised.
    ///
    /// - Throws: as `receive(into:_:)`.
    func receive(into bytes: UnsafeMutableBufferPointer<UInt8>, _ look: Look) throws(WormholeError) -> ReceiveOutcome {
        let outcome = try withDescriptor { number throws(WormholeError) in
            try DatagramSocket.receive(from: number, into: bytes.baseAddress, capacity: bytes.count, look)
        }
        guard let outcome else { throw .closed }
        return outcome
    }

    /// The process at the other end of an AF_UNIX socket, as the kernel recorded it when the connection was made
    /// (`SO_PEERCRED`, unix(7)).
    ///
    /// - Throws: `.foreignPeer` for a process of another user than `user`; `.closed` if this side has closed; `.system`.
    @discardableResult
    package func peer(ofUser expected: UInt32) throws(WormholeError) -> TransportPeer {
        let credentials = try withDescriptor { number throws(WormholeError) in
            // struct ucred is the process, the user and the group, of 32 bits each; the C library shows its name to GNU
            // sources only.
            var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
            var size = socklen_t(MemoryLayout.size(ofValue: credentials))
            let result = SocketCalls.make("getsockopt") {
                getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
            }
            guard result == 0 else { throw SocketCalls.failure("getsockopt") }
            return credentials
        }
        guard let credentials else { throw .closed }
        guard credentials.user == expected else { throw .foreignPeer(user: credentials.user, expected: expected) }
        return .process(user: credentials.user, number: credentials.process)
    }

    /// Waits until the socket is ready or closed, or the task is cancelled. A socket that is connecting becomes writable
    /// when it is connected, and when connecting has failed.
    ///
    /// - Throws: `.system` where the process has no descriptor or thread left to wait with.
    nonisolated(nonsending) package func wait(until interest: PolledDescriptor.Interest) async throws(WormholeError) {
        guard let number = fileDescriptor else { return }
        try await SocketPoller.shared.wait(for: number, interest) { fileDescriptor != nil }
    }

    /// Whether there is room to send; for a socket that was connecting, whether it is connected now.
    package var isWritable: Bool {
        fileDescriptor.map { PolledDescriptor($0, .writable).polled().isWritable } ?? false
    }

    /// Whether the peer has closed, or this side; what it sent before may still be here.
    var isHungUp: Bool { descriptor.with { SocketCalls.isHungUp($0) } ?? true }

    /// Closes the socket and ends every wait for it. The peer still receives what was sent. Closing twice does nothing.
    package func close() {
        // A thread may be polling the descriptor, which keeps the socket alive in the kernel, and the peer has to see
        // the end now.
        let number = descriptor.close { _ = shutdown($0, CInt(SHUT_RDWR)) }
        if let number { SocketPoller.shared.forget(number) }
    }

    deinit { close() }

    /// Runs `body` with the descriptor, which cannot be closed in the meantime; nil where this side has closed it.
    package func withDescriptor<Value, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        try descriptor.with(body)
    }

    /// Calls `recv`, and calls it again where its result is ambiguous: the system reports the reason for the end once,
    /// ahead of datagrams that still wait; a count of zero is the end, an empty datagram, or on L2CAP a close with data
    /// still to come; and an L2CAP socket that has reported its error says "would block" for ever, where only poll(2)
    /// shows that it is dead.
    private static func receive(
        from number: CInt, into bytes: UnsafeMutablePointer<UInt8>?, capacity: Int, _ look: Look
    ) throws(WormholeError) -> ReceiveOutcome {
        var signsOfTheEnd = 0
        while true {
            let count = SocketCalls.make("recv") { recv(number, bytes, capacity, SocketCalls.receiveFlags) }
            if count > 0 { return count > capacity ? .truncated(count: count) : .datagram(count: count) }
            let reason = count == 0 ? Errno.wouldBlock : Errno(rawValue: errno)
            switch reason {
            case .interrupted, .connectionReset, .connectionAbort: continue
            case .wouldBlock:
                if count < 0, look == .first, signsOfTheEnd == 0 { return .nothing }
                guard SocketCalls.isHungUp(number) || count == 0 else { return .nothing }
                // The first may be older than the end, with data in between; the second may stand for the reason for the
                // end, which comes ahead of the data; after that, nothing comes ahead of the data.
                signsOfTheEnd += 1
                if signsOfTheEnd == 3 { return SocketCalls.isHungUp(number) ? .closed : .nothing }
            case .socketNotConnected, .brokenPipe: return .closed
            default:
                // The reason for the end is reported once, too; what had arrived before can still be received.
                guard SocketCalls.isHungUp(number) else { throw .system(call: "recv", path: nil, reason) }
            }
        }
    }
}
