import Glibc

/// One descriptor to wait for with poll(2), and the result of the last wait.
package struct PolledDescriptor: Sendable {
    /// An error or the end of the connection ends a wait of every kind.
    package enum Interest: Sendable {
        case end
        case readable
        case writable
        case readableOrWritable

        fileprivate var events: Int16 {
            switch self {
            case .end: PolledDescriptor.readHangUp
            case .readable: Int16(POLLIN)
            case .writable: Int16(POLLOUT)
            case .readableOrWritable: Int16(POLLIN | POLLOUT)
            }
        }
    }

    /// POLLRDHUP. The C library declares it only with _GNU_SOURCE (poll(2)).
    private static let readHangUp: Int16 = 0x2000

    private var entry: pollfd

    package init(_ descriptor: CInt, _ interest: Interest) {
        self.init(descriptor, events: interest.events)
    }

    /// - Parameter events: the bits of poll(2).
    package init(_ descriptor: CInt, events: Int16) {
        entry = pollfd(fd: descriptor, events: events, revents: 0)
    }

    /// Whether the last wait found the awaited event, an error or the end.
    package var isReady: Bool { entry.revents != 0 }

    /// Whether the last wait found room to write.
    package var isWritable: Bool { entry.revents & Int16(POLLOUT) != 0 }

    /// Whether the last wait found that the other side has closed.
    package var isHungUp: Bool { entry.revents & (Int16(POLLHUP) | PolledDescriptor.readHangUp) != 0 }

    /// The state of the descriptor now, without a wait.
    package func polled() -> PolledDescriptor {
        var looked = [self]
        PolledDescriptor.wait(for: &looked, microseconds: 0)
        return looked[0]
    }

    /// Rounds `limit` up to milliseconds. A wait for whole milliseconds ends as soon as a descriptor is ready.
    package static func wholeMilliseconds(_ limit: UInt64?) -> UInt64? {
        // The cap is harmless, because `wait` ends early beyond 24 days.
        limit.map { (min($0, 1 << 60) + 999) / 1_000 * 1_000 }
    }

    /// Blocks the thread until one of the descriptors is ready or a signal arrives.
    ///
    /// - Parameter limit: the longest wait; nil for no limit. A wait of more than 24 days ends early. The part below a
    ///   millisecond always runs to its end, see `wholeMilliseconds`.
    /// - Returns: false if the time ran out.
    @discardableResult
    package static func wait(for descriptors: inout [PolledDescriptor], microseconds limit: UInt64?) -> Bool {
        // If a signal ends poll(2), it leaves the old results in place.
        for index in descriptors.indices { descriptors[index].entry.revents = 0 }
        let milliseconds = limit.map { CInt(clamping: $0 / 1_000) } ?? -1
        if poll(&descriptors, milliseconds) != 0 { return true }
        // Glibc's module has no ppoll(2), so the thread sleeps through the rest of a millisecond.
        guard let rest = limit.map({ $0 % 1_000 }), rest > 0 else { return false }
        usleep(useconds_t(rest))
        return poll(&descriptors, 0) != 0
    }

    private static func poll(_ descriptors: inout [PolledDescriptor], _ milliseconds: CInt) -> CInt {
        descriptors.withUnsafeMutableBufferPointer { descriptors in
            // `PolledDescriptor` has a single field, a pollfd, so an array of them has the memory layout of an array of pollfd.
            descriptors.withMemoryRebound(to: pollfd.self) {
                Glibc.poll($0.baseAddress, nfds_t($0.count), milliseconds)
            }
        }
    }
}

/// A descriptor that stays readable from `signal()` until `drain()`: one end of a socket pair.
///
/// It wakes an event loop or a thread that waits in poll(2). Releasing this object closes the descriptor.
public final class EventDescriptor: Sendable {
    /// Wait until this descriptor is readable. This object keeps it: do not read, write or close it.
    public let descriptor: CInt
    private let signalling: CInt

    /// Creates a descriptor that is not signalled.
    ///
    /// - Throws: an error if the process or the machine has no descriptors left.
    public init() throws(HostSystemError) {
        // Glibc's module has no eventfd(2).
        (descriptor, signalling) = try Descriptors.socketPair(SOCK_STREAM)
        try Descriptors.setNonBlocking(descriptor)
        try Descriptors.setNonBlocking(signalling)
    }

    deinit {
        close(descriptor)
        close(signalling)
    }

    /// Makes the descriptor readable. Callable from any thread.
    public func signal() {
        var byte: UInt8 = 1
        // The write fails only if the socket's buffer is full, and then the descriptor is readable already.
        _ = write(signalling, &byte, 1)
    }

    /// Makes the descriptor unreadable until the next signal. Callable from any thread.
    public func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
