import Glibc
import HostSystem
import SystemPackage

/// Makes calls of the operating system fail.
package protocol SocketFaults: Sendable {
    /// Why the next call fails instead of being made; nil for one that is made.
    func failure(of call: String) -> Errno?
}

/// What the sockets of this module have in common.
package enum SocketCalls {
    /// A peer that has gone is an error here and not a signal to the process.
    static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    /// `MSG_TRUNC` makes `recv` return the whole length of a datagram that is longer than the buffer.
    static let receiveFlags = CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC)

    /// What makes calls of this task and of its children fail, for tests of what follows; nil where the system alone decides.
    @TaskLocal package static var faults: (any SocketFaults)?

    /// Makes a call that returns a negative number and leaves the reason in `errno` where it fails.
    static func make<Number: SignedInteger>(_ name: String, _ call: () -> Number) -> Number {
        guard let reason = faults?.failure(of: name) else { return call() }
        errno = reason.rawValue
        return -1
    }

    /// The error of the C function that has just failed.
    static func failure(_ call: String, _ path: String? = nil) -> WormholeError {
        .system(call: call, path: path, Errno(rawValue: errno))
    }

    /// Runs calls of the operating system, with their errors as those of this module.
    static func system<Value>(
        _ path: String? = nil, _ body: () throws(HostSystemError) -> Value
    ) throws(WormholeError) -> Value {
        if let reason = faults?.failure(of: "system") { throw .system(call: "system", path: path, reason) }
        do throws(HostSystemError) {
            return try body()
        } catch {
            throw .system(call: error.call, path: path, error.reason)
        }
    }

    /// Whether the other end has closed, or the channel is gone.
    static func isHungUp(_ descriptor: CInt) -> Bool {
        PolledDescriptor(descriptor, .end).polled().isHungUp
    }
}
