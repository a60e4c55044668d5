import Glibc
import HostSystem
import SystemPackage

package enum SocketCalls {
    /// With `MSG_NOSIGNAL`, `send` fails with EPIPE if the peer has closed. Without it, the process would get SIGPIPE.
    static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    /// `MSG_TRUNC` makes `recv` return the full length of a datagram that exceeds the buffer.
    static let receiveFlags = CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC)

    /// Makes chosen system calls fail in tests. This is a class because optimized code of Swift 6 crashes if a task-local value
    /// is a closure.
    package final class Fault: Sendable {
        /// Returns the error with which this fault makes a system call fail; nil if this fault does not affect the call. The
        /// argument is the name of the C function, or "system" for all calls inside `SocketCalls.system`.
        let error: @Sendable (_ call: String) -> Errno?

        package init(_ error: @escaping @Sendable (_ call: String) -> Errno?) { self.error = error }
    }

    /// The fault for the system calls of this task and its child tasks; nil outside of tests.
    @TaskLocal package static var fault: Fault?

    static func make<Number: SignedInteger>(_ name: String, _ call: () -> Number) -> Number {
        guard let reason = fault?.error(name) else { return call() }
        errno = reason.rawValue
        return -1
    }

    static func failure(_ call: String, _ path: String? = nil) -> WormholeError {
        .system(call: call, path: path, Errno(rawValue: errno))
    }

    static func system<Value>(
        _ path: String? = nil, _ body: () throws(HostSystemError) -> Value
    ) throws(WormholeError) -> Value {
        if let reason = fault?.error("system") { throw .system(call: "system", path: path, reason) }
        do throws(HostSystemError) {
            return try body()
        } catch {
            throw .system(call: error.call, path: path, error.reason)
        }
    }

    static func open(_ path: String, _ flags: CInt) throws(WormholeError) -> CInt {
        try system(path) { () throws(HostSystemError) in try Descriptors.open(path, flags) }
    }

    static func isHungUp(_ descriptor: CInt) -> Bool {
        PolledDescriptor(descriptor, .end).polled().isHungUp
    }
}
