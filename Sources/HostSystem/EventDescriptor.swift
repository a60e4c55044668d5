import Glibc

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
