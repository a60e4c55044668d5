import Glibc

/// A descriptor to wait for, and what the last wait found: an entry of poll(2).
package struct PolledDescriptor: Sendable {
    /// What to wait for. An error or the end of a connection ends every wait.
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

    /// POLLRDHUP, which the C library shows to GNU sources only (poll(2)).
    private static let readHangUp: Int16 = 0x2000

    private var entry: pollfd

    package init(_ descriptor: CInt, _ interest: Interest) {
        self.init(descriptor, events: interest.events)
    }

    /// - Parameter events: the bits of poll(2).
    package init(_ descriptor: CInt, events: Int16) {
        entry = pollfd(fd: descriptor, events: events, revents: 0)
    }

    /// Whether the last wait found what was waited for, an error or the end.
    package var isReady: Bool { entry.revents != 0 }

    /// Whether the last wait found room to write.
    package var isWritable: Bool { entry.revents & Int16(POLLOUT) != 0 }

    /// Whether the last wait found that the other side has closed.
    package var isHungUp: Bool { entry.revents & (Int16(POLLHUP) | PolledDescriptor.readHangUp) != 0 }

    /// The descriptor after a look that does not wait.
    package func polled() -> PolledDescriptor {
        var looked = [self]
        PolledDescriptor.wait(for: &looked, microseconds: 0)
        return looked[0]
    }

    /// `limit` rounded up to milliseconds, for a wait that may last a little longer but ends at once when a descriptor is ready.
    package static func wholeMilliseconds(_ limit: UInt64?) -> UInt64? {
        // No limit of 24 days or more is waited for to its end.
        limit.map { (min($0, 1 << 60) + 999) / 1_000 * 1_000 }
    }

    /// Blocks the thread until one of the descriptors is ready or a signal arrives.
    ///
    /// - Parameter limit: the longest wait; nil for no limit. One beyond 24 days ends early. Nothing ends the part below a
    ///   millisecond early; see `wholeMilliseconds`.
    /// - Returns: false if the time ran out.
    @discardableResult
    package static func wait(for descriptors: inout [PolledDescriptor], microseconds limit: UInt64?) -> Bool {
        // A wait that a signal ends leaves them as they are.
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
            // The entry is all that the value has, so the memory of an array of them is one of entries.
            descriptors.withMemoryRebound(to: pollfd.self) {
                Glibc.poll($0.baseAddress, nfds_t($0.count), milliseconds)
            }
        }
    }
}

/// A descriptor that becomes readable when it is signalled and stays so until it is drained: one end of a socket pair.
///
/// With it one thread wakes another thread that waits in poll(2), or an event loop. It is closed with this object.
public final class EventDescriptor: Sendable {
    /// The descriptor to wait for until it is readable. It is this object's: do not read, write or close it.
    public let descriptor: CInt
    private let signalling: CInt

    /// A descriptor that has not been signalled.
    ///
    /// - Throws: when the process or the machine has no descriptors left.
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

    /// Makes the descriptor readable, if it is not yet. Callable from every thread.
    public func signal() {
        var byte: UInt8 = 1
        // It fails only when the socket's buffer is full, and then the descriptor is readable already.
        _ = write(signalling, &byte, 1)
    }

    /// Makes the descriptor unreadable until the next signal. Callable from every thread.
    public func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
