import Glibc
import Synchronization
import SystemPackage

/// A connected SOCK_SEQPACKET socket that never blocks: AF_UNIX, and L2CAP with the same code.
///
/// It is synchronous, for a caller that polls `fileDescriptor` on a thread of its own; `SocketTransport` puts it to
/// work for tasks. All its calls may be made from any thread.
package final class DatagramSocket: Sendable {
    /// What became of a datagram that was to be sent.
    package enum SendOutcome: Hashable, Sendable {
        /// The system took it, whole.
        case sent
        /// There is no room just now: wait until the descriptor is writable and send it again.
        case busy
    }

    /// What a call of `receive` found.
    package enum ReceiveOutcome: Hashable, Sendable {
        /// A datagram of that many bytes is in the buffer.
        case datagram(count: Int)
        /// A datagram of that many bytes was longer than the buffer, and is lost.
        case truncated(count: Int)
        /// None waits: wait until the descriptor is readable.
        case nothing
        /// The peer has closed, and all that it sent was received.
        case closed
    }

    private enum Descriptor {
        case open(CInt)
        case closed
    }

    private let descriptor: Mutex<Descriptor>

    /// Takes over a connected SOCK_SEQPACKET socket and makes it non-blocking; the socket is closed with this object.
    ///
    /// - Throws: `.system` where the descriptor is not one; it is not closed then.
    package init(owning fileDescriptor: CInt) throws(WormholeError) {
        try SocketCalls.makeNonBlocking(fileDescriptor)
        descriptor = Mutex(.open(fileDescriptor))
    }

    /// Two sockets that are connected to each other.
    ///
    /// - Throws: `.system` where the process has no descriptors left.
    package static func pair() throws(WormholeError) -> (DatagramSocket, DatagramSocket) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, SocketCalls.type, 0, &ends) == 0 else { throw SocketCalls.failure("socketpair") }
        return (try DatagramSocket(owning: ends[0]), try DatagramSocket(owning: ends[1]))
    }

    /// Connects to the AF_UNIX socket at `path`. The call does not wait.
    ///
    /// - Throws: `.nobodyListening` where there is no socket or nobody serves it (try again later); `.pathTooLong`;
    ///   `.system`, with `.wouldBlock` where the listener's queue is full.
    package static func connect(toPath path: String) throws(WormholeError) -> DatagramSocket {
        let address = try UnixAddress(path: path)
        let descriptor = socket(AF_UNIX, SocketCalls.type, 0)
        guard descriptor >= 0 else { throw SocketCalls.failure("socket") }
        guard address.withSocketAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let reason = Errno(rawValue: errno)
            _ = Glibc.close(descriptor)
            guard reason != .connectionRefused, reason != .noSuchFileOrDirectory else {
                throw .nobodyListening(path: path)
            }
            throw .system(call: "connect", path: path, reason)
        }
        return try DatagramSocket(owning: descriptor)
    }

    /// The descriptor to poll for `POLLIN` and `POLLOUT`, or nil once the socket is closed. It stays this object's:
    /// neither close it nor use it after `close()`.
    package var fileDescriptor: CInt? {
        descriptor.withLock { state in
            switch state {
            case .open(let number): number
            case .closed: nil
            }
        }
    }

    /// Sends one datagram, or nothing.
    ///
    /// - Parameter datagram: at least one byte; an empty datagram cannot be told from the end.
    /// - Throws: `.datagramTooLong` where the system does not carry that many bytes, the socket being usable still;
    ///   `.closed` where either side has closed; `.system`.
    package func send(_ datagram: Span<UInt8>) throws(WormholeError) -> SendOutcome {
        precondition(!datagram.isEmpty, "an empty datagram cannot be told from the end of the channel")
        return try withOpenDescriptor { number throws(WormholeError) in
            while true {
                let count = datagram.withUnsafeBufferPointer {
                    Glibc.send(number, $0.baseAddress, $0.count, SocketCalls.sendFlags)
                }
                guard count < 0 else { return .sent }
                switch Errno(rawValue: errno) {
                case .interrupted: continue
                case .wouldBlock, .noBufferSpace: return .busy
                case .messageTooLong: throw .datagramTooLong(bytes: datagram.count, limit: nil)
                case .brokenPipe, .socketNotConnected, .connectionReset, .connectionAbort, .socketShutdown:
                    throw .closed
                // Over Bluetooth a channel ends with the reason that the controller gives: too long unheard, keys
                // refused.
                case let reason:
                    throw SocketCalls.isHungUp(number) ? .closed : .system(call: "send", path: nil, reason)
                }
            }
        }
    }

    /// Copies the next datagram into `buffer`.
    ///
    /// - Throws: `.closed` where this side has closed; `.system`.
    package func receive(into buffer: inout MutableSpan<UInt8>) throws(WormholeError) -> ReceiveOutcome {
        let capacity = buffer.count
        return try buffer.withUnsafeMutableBufferPointer { bytes throws(WormholeError) in
            try withOpenDescriptor { number throws(WormholeError) in
                try DatagramSocket.receive(from: number, into: bytes.baseAddress, capacity: capacity)
            }
        }
    }

    /// Who is at the other end of an AF_UNIX socket, as the kernel says.
    ///
    /// - Throws: `.closed`; `.system`, as for a socket of another family.
    package func peerCredentials() throws(WormholeError) -> PeerCredentials {
        try withOpenDescriptor { number throws(WormholeError) in try PeerCredentials(ofSocket: number) }
    }

    /// Waits until the socket has room or is over; of one that is connecting, until that has come out one way or the
    /// other. Returns early when the task is cancelled.
    ///
    /// - Throws: `.system` where the process has no descriptor or thread left to wait with.
    package func waitUntilWritable() async throws(WormholeError) {
        guard let number = fileDescriptor else { return }
        try await SocketPoller.shared.wait(for: number, .writable) { fileDescriptor != nil }
    }

    /// Whether there is room to send; of a socket that is connecting, whether it is connected by now.
    package var isWritable: Bool {
        fileDescriptor.map(SocketCalls.isWritable) ?? false
    }

    /// Closes the socket. The peer still receives what was sent. Closing twice does nothing.
    package func close() {
        descriptor.withLock { state in
            guard case .open(let number) = state else { return }
            state = .closed
            // Somebody may be polling the descriptor, which keeps the socket alive in the kernel: the peer is to see
            // the end now.
            _ = shutdown(number, CInt(SHUT_RDWR))
            _ = Glibc.close(number)
        }
    }

    deinit { close() }

    /// Runs `body` with the descriptor, which cannot be closed meanwhile.
    ///
    /// - Throws: `.closed` where this side has closed; what `body` throws.
    package func withOpenDescriptor<Value>(
        _ body: (CInt) throws(WormholeError) -> Value
    ) throws(WormholeError) -> Value {
        try descriptor.withLock { state throws(WormholeError) in
            guard case .open(let number) = state else { throw .closed }
            return try body(number)
        }
    }

    /// One `recv`, and more where its result does not mean what it says: the reason of the end is reported once, ahead
    /// of what still waits; a count of zero is the end, an empty datagram, or on L2CAP a close with data still to come;
    /// and an L2CAP socket that has reported its error says "would block" for ever, where only poll(2) tells that it is
    /// dead.
    private static func receive(
        from number: CInt, into bytes: UnsafeMutablePointer<UInt8>?, capacity: Int
    ) throws(WormholeError) -> ReceiveOutcome {
        var signsOfTheEnd = 0
        while true {
            let count = recv(number, bytes, capacity, SocketCalls.receiveFlags)
            if count > 0 { return count > capacity ? .truncated(count: count) : .datagram(count: count) }
            let reason = count == 0 ? Errno.wouldBlock : Errno(rawValue: errno)
            switch reason {
            case .interrupted, .connectionReset, .connectionAbort: continue
            case .wouldBlock:
                guard SocketCalls.isHungUp(number) || count == 0 else { return .nothing }
                // The first may be older than the end, with data in between; the second may stand for the reason of the
                // end, which comes ahead of the data; nothing comes ahead of it after that.
                signsOfTheEnd += 1
                if signsOfTheEnd == 3 { return SocketCalls.isHungUp(number) ? .closed : .nothing }
            case .socketNotConnected, .brokenPipe: return .closed
            default:
                // Why the channel has ended is told once, too; what had arrived before can still be received.
                guard SocketCalls.isHungUp(number) else { throw .system(call: "recv", path: nil, reason) }
            }
        }
    }
}
