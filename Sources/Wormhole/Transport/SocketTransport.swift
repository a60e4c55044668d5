import Glibc
import HostSystem
import SystemPackage
import WatchLink

/// A `DatagramTransport` over a connected socket: AF_UNIX or L2CAP.
package struct SocketTransport: DatagramTransport {
    package let peer: TransportPeer
    private let socket: DatagramSocket
    package let largestDatagram: Int
    private let largestArriving: Int

    /// - Parameters:
    ///   - largestDatagram: the maximum size in bytes of a datagram to send, at least `LinkLimits.smallestSDU`.
    ///   - largestArriving: the maximum size in bytes of a datagram to receive, at least `LinkLimits.smallestSDU`; nil for the
    ///     same as `largestDatagram`.
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
        return try socket.send(datagram.span)
    }

    nonisolated(nonsending) package func receive() async throws(WormholeError) -> [UInt8] {
        var hasWaited = false
        while true {
            if let datagram = try next(noticingEnd: hasWaited) { return datagram }
            try await wait(.readable)
            hasWaited = true
        }
    }

    package func receiveAtOnce() throws(WormholeError) -> [UInt8]? { try next(noticingEnd: false) }

    private func next(noticingEnd: Bool) throws(WormholeError) -> [UInt8]? {
        // Most datagrams are far below the limit, so only the received bytes are copied into an array.
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: largestArriving) {
            bytes throws(WormholeError) in
            switch try socket.receive(into: bytes, noticingEnd: noticingEnd) {
            // The system has initialized `count` bytes.
            case .datagram(let count): return Array(bytes[..<count])
            case .truncated(let count): throw .datagramTooLong(bytes: count, limit: largestArriving)
            case .closed: throw .closed
            case .nothing: return nil
            }
        }
    }

    var isHungUp: Bool { socket.isHungUp }

    package func close() { socket.close() }

    nonisolated(nonsending) private func wait(_ interest: PolledDescriptor.Interest) async throws(WormholeError) {
        guard !Task.isCancelled else { throw .closed }
        try await socket.wait(until: interest)
    }
}

/// A connected, non-blocking SOCK_SEQPACKET socket: AF_UNIX or L2CAP. Thread-safe. A caller polls `fileDescriptor` on its own
/// thread, or wraps the socket in a `SocketTransport`.
package final class DatagramSocket: Sendable {
    package enum ReceiveOutcome: Hashable, Sendable {
        case datagram(count: Int)
        /// A datagram of `count` bytes was longer than the buffer, and is lost.
        case truncated(count: Int)
        case nothing
        /// The peer has closed, and all its datagrams were received.
        case closed
    }

    private let descriptor: OwnedDescriptor

    /// - Parameter fileDescriptor: a connected, non-blocking socket. Releasing this object closes the socket.
    package init(owning fileDescriptor: CInt) {
        descriptor = OwnedDescriptor(fileDescriptor)
    }

    /// - Throws: `.system` if the process has no descriptors left.
    package static func pair() throws(WormholeError) -> (DatagramSocket, DatagramSocket) {
        try SocketCalls.system { () throws(HostSystemError) in
            let (near, far) = try Descriptors.socketPair(SOCK_SEQPACKET)
            let ends = (DatagramSocket(owning: near), DatagramSocket(owning: far))
            try Descriptors.setNonBlocking(near)
            try Descriptors.setNonBlocking(far)
            return ends
        }
    }

    /// Connects without waiting. The serving process must belong to `user`.
    /// - Throws: `.noListener` if no process serves the socket (try again later); `.pathTooLong`; `.foreignPeer` if a process
    ///   of another user serves it (nothing was sent to that process); `.system`, with `.wouldBlock` if the listener's queue
    ///   is full.
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
                throw .noListener(path: path)
            }
            throw .system(call: "connect", path: path, reason)
        }
        try socket.peer(ofUser: user)
        return socket
    }

    /// The socket's descriptor; nil once this side has closed. Only this object may close the descriptor. The caller must not
    /// use it after `close()`.
    package var fileDescriptor: CInt? { descriptor.number }

    /// Sends one datagram.
    /// - Parameter datagram: at least one byte, because an empty datagram looks like the end of the channel.
    /// - Returns: false, with nothing sent, if there is no room. Wait until the descriptor is writable, then send again.
    /// - Throws: `.datagramTooLong` if the datagram exceeds the system's limit, after which the socket is still usable;
    ///   `.closed` if either side has closed; `.system`.
    package func send(_ datagram: Span<UInt8>) throws(WormholeError) -> Bool {
        precondition(!datagram.isEmpty, "an empty datagram cannot be told from the end of the channel")
        let isSent = try withDescriptor { number throws(WormholeError) -> Bool in
            while true {
                let count = SocketCalls.make("send") {
                    datagram.withUnsafeBufferPointer {
                        Glibc.send(number, $0.baseAddress, $0.count, SocketCalls.sendFlags)
                    }
                }
                guard count < 0 else { return true }
                switch Errno(rawValue: errno) {
                case .interrupted: continue
                case .wouldBlock, .noBufferSpace: return false
                case .messageTooLong: throw .datagramTooLong(bytes: datagram.count, limit: nil)
                case .brokenPipe, .socketNotConnected, .connectionReset, .connectionAbort, .socketShutdown:
                    throw .closed
                // A Bluetooth channel ends with the controller's reason, such as a supervision timeout or refused keys.
                case let reason:
                    throw SocketCalls.isHungUp(number) ? .closed : .system(call: "send", path: nil, reason)
                }
            }
        }
        guard let isSent else { throw .closed }
        return isSent
    }

    /// Receives one datagram without waiting.
    /// - Parameter noticingEnd: if false, the result may be `.nothing` although the peer has closed. In that case,
    ///   `wait(until: .readable)` returns at once.
    /// - Throws: `.closed` if this side has closed; `.system`.
    package func receive(
        into buffer: inout MutableSpan<UInt8>, noticingEnd: Bool = true
    ) throws(WormholeError) -> ReceiveOutcome {
        try buffer.withUnsafeMutableBufferPointer { bytes throws(WormholeError) in
            try receive(into: bytes, noticingEnd: noticingEnd)
        }
    }

    func receive(
        into bytes: UnsafeMutableBufferPointer<UInt8>, noticingEnd: Bool
    ) throws(WormholeError) -> ReceiveOutcome {
        let outcome = try withDescriptor { number throws(WormholeError) in
            try DatagramSocket.receive(
                from: number, into: bytes.baseAddress, capacity: bytes.count, noticingEnd: noticingEnd)
        }
        guard let outcome else { throw .closed }
        return outcome
    }

    /// Returns the process at the other end, as the kernel recorded it when the connection was made (`SO_PEERCRED`, unix(7)).
    /// - Throws: `.foreignPeer` if the process belongs to another user than `expected`; `.closed`; `.system`.
    @discardableResult
    package func peer(ofUser expected: UInt32) throws(WormholeError) -> TransportPeer {
        let credentials = try withDescriptor { number throws(WormholeError) in
            // The layout of struct ucred: process, user and group, 32 bits each. The C library declares it only with _GNU_SOURCE.
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

    /// Waits until the socket is ready for `interest`. Also returns if the socket is closed or the task is cancelled. A socket
    /// that is connecting becomes writable when the attempt succeeds or fails.
    /// - Throws: `.system` if the process has no descriptor or thread left for the wait.
    nonisolated(nonsending) package func wait(until interest: PolledDescriptor.Interest) async throws(WormholeError) {
        guard let number = fileDescriptor else { return }
        try await SocketPoller.shared.wait(for: number, interest) { fileDescriptor != nil }
    }

    package var isWritable: Bool {
        fileDescriptor.map { PolledDescriptor($0, .writable).polled().isWritable } ?? false
    }

    /// Whether either side has closed. If only the peer has, its earlier datagrams may still be waiting.
    var isHungUp: Bool { descriptor.with { SocketCalls.isHungUp($0) } ?? true }

    package func close() {
        // A thread in poll(2) keeps the socket alive in the kernel, but the peer must see the end now.
        let number = descriptor.close { _ = shutdown($0, CInt(SHUT_RDWR)) }
        if let number { SocketPoller.shared.forget(number) }
    }

    deinit { close() }

    /// Runs `body` with the descriptor, which stays open until `body` returns. If this side has closed the socket, returns nil
    /// without running `body`.
    package func withDescriptor<Value, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        try descriptor.with(body)
    }

    /// Calls `recv`, and repeats the call while its result is ambiguous.
    ///
    /// A count of zero has three possible causes: the channel has ended, the datagram is empty, or an L2CAP channel has closed
    /// while datagrams still wait. The system reports an error once, before it delivers the datagrams that still wait. After an
    /// error, `recv` on an L2CAP socket fails with "would block" forever, so only poll(2) shows the end.
    private static func receive(
        from number: CInt, into bytes: UnsafeMutablePointer<UInt8>?, capacity: Int, noticingEnd: Bool
    ) throws(WormholeError) -> ReceiveOutcome {
        var signsOfTheEnd = 0
        while true {
            let count = SocketCalls.make("recv") { recv(number, bytes, capacity, SocketCalls.receiveFlags) }
            if count > 0 { return count > capacity ? .truncated(count: count) : .datagram(count: count) }
            let reason = count == 0 ? Errno.wouldBlock : Errno(rawValue: errno)
            switch reason {
            case .interrupted, .connectionReset, .connectionAbort: continue
            case .wouldBlock:
                if count < 0, !noticingEnd, signsOfTheEnd == 0 { return .nothing }
                guard SocketCalls.isHungUp(number) || count == 0 else { return .nothing }
                // Datagrams may still follow the first sign of the end. They may also follow the second sign, which can be the
                // system's error. None follow the third.
                signsOfTheEnd += 1
                if signsOfTheEnd == 3 { return SocketCalls.isHungUp(number) ? .closed : .nothing }
            case .socketNotConnected, .brokenPipe: return .closed
            default:
                // The system also reports this error only once. The datagrams that arrived before it can still be received.
                guard SocketCalls.isHungUp(number) else { throw .system(call: "recv", path: nil, reason) }
            }
        }
    }
}
