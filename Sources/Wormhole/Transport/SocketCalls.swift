import Glibc
import HostSystem
import SystemPackage

package enum SocketCalls {
    /// `MSG_NOSIGNAL` turns a vanished peer into an error; without it the process would get a signal.
    static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    /// `MSG_TRUNC` makes `recv` return the full length of a datagram that exceeds the buffer.
    static let receiveFlags = CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC)

    /// Makes system calls fail, for tests. A class, because an optimised build of Swift 6 crashes with a task-local closure.
    package final class Fault: Sendable {
        /// Returns the error for the next call of a function, or nil to make the call.
        let error: @Sendable (_ call: String) -> Errno?

        package init(_ error: @escaping @Sendable (_ call: String) -> Errno?) { self.error = error }
    }

    /// The fault of the calls of this task and its children.
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
