import Glibc

/// A descriptor to wait for with poll(2), and what the last wait found.
package struct PolledDescriptor: Sendable {
    /// What to wait for. An error or the end of the connection also ends the wait, whatever the interest.
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

    /// POLLRDHUP, which the C library declares only with _GNU_SOURCE (poll(2)).
    private static let readHangUp: Int16 = 0x2000

    private var entry: pollfd

    package init(_ descriptor: CInt, _ interest: Interest) {
        self.init(descriptor, events: interest.events)
    }

    package init(_ descriptor: CInt, events: Int16) {
        entry = pollfd(fd: descriptor, events: events, revents: 0)
    }

    /// Whether the descriptor was ready at the last wait. An error or the end of the connection also makes it ready.
    package var isReady: Bool { entry.revents != 0 }

    package var isWritable: Bool { entry.revents & Int16(POLLOUT) != 0 }

    package var isHungUp: Bool { entry.revents & (Int16(POLLHUP) | PolledDescriptor.readHangUp) != 0 }

    /// Returns a copy with the descriptor's present state. Does not wait.
    package func polled() -> PolledDescriptor {
        var looked = [self]
        PolledDescriptor.wait(for: &looked, microseconds: 0)
        return looked[0]
    }

    /// Returns the limit, in microseconds, rounded up to whole milliseconds; nil means no limit. A `wait` with a rounded
    /// limit returns as soon as a descriptor is ready.
    package static func wholeMilliseconds(_ limit: UInt64?) -> UInt64? {
        // The minimum only prevents an overflow: no call of `wait` can last that long anyway.
        limit.map { (min($0, 1 << 60) + 999) / 1_000 * 1_000 }
    }

    /// Blocks the thread until a descriptor is ready, a signal arrives, or the limit is reached. Returns false if the limit was
    /// reached and no descriptor is ready.
    /// - Parameter limit: the maximum wait in microseconds; nil means no limit. A longer limit than 24 days counts as 24 days.
    ///   If the limit has a fraction of a millisecond, the thread sleeps through that fraction even if a descriptor becomes
    ///   ready; `wholeMilliseconds` avoids this.
    @discardableResult
    package static func wait(for descriptors: inout [PolledDescriptor], microseconds limit: UInt64?) -> Bool {
        // If a signal ends poll(2), the old results stay in place.
        for index in descriptors.indices { descriptors[index].entry.revents = 0 }
        let milliseconds = limit.map { CInt(clamping: $0 / 1_000) } ?? -1
        if poll(&descriptors, milliseconds) != 0 { return true }
        // Glibc's module has no ppoll(2), so the thread sleeps for the rest of a millisecond.
        guard let rest = limit.map({ $0 % 1_000 }), rest > 0 else { return false }
        usleep(useconds_t(rest))
        return poll(&descriptors, 0) != 0
    }

    private static func poll(_ descriptors: inout [PolledDescriptor], _ milliseconds: CInt) -> CInt {
        descriptors.withUnsafeMutableBufferPointer { descriptors in
            // `PolledDescriptor` has one field, a pollfd, so both have the same memory layout.
            descriptors.withMemoryRebound(to: pollfd.self) {
                Glibc.poll($0.baseAddress, nfds_t($0.count), milliseconds)
            }
        }
    }
}

/// A descriptor that an event loop can wait for with poll(2): it is readable from `signal()` until `drain()`. It is one end of
/// a socket pair.
///
/// When this object is released, it closes the descriptor.
public final class EventDescriptor: Sendable {
    /// The descriptor to wait for until it is readable. The caller must not read, write or close it.
    public let descriptor: CInt
    private let signalling: CInt

    /// Makes a descriptor that is not readable yet.
    ///
    /// - Throws: an error if the process or the machine has no descriptors left.
    public init() throws(HostSystemError) {
        // Glibc's module has no eventfd(2), so this uses a socket pair.
        (descriptor, signalling) = try Descriptors.socketPair(SOCK_STREAM)
        try Descriptors.setNonBlocking(descriptor)
        try Descriptors.setNonBlocking(signalling)
    }

    deinit {
        close(descriptor)
        close(signalling)
    }

    /// Makes the descriptor readable. Any thread may call this.
    public func signal() {
        var byte: UInt8 = 1
        // A write fails only if the buffer is full, and then the descriptor is readable anyway.
        _ = write(signalling, &byte, 1)
    }

    /// Makes the descriptor unreadable until the next `signal()`. Any thread may call this.
    public func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
