import Glibc
import HostSystem
import SystemPackage

package enum SocketCalls {
    /// `MSG_NOSIGNAL` turns a vanished peer into an error; without it the process would get a signal.
    static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    /// `MSG_TRUNC` makes `recv` return the full length of a datagram that exceeds the buffer.
    static let receiveFlags = CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC)

    /// Makes system calls of this task and its children fail, for tests. It returns the error for the next call of a function, or
    /// nil to make the call.
    @TaskLocal package static var fault: (@Sendable (_ call: String) -> Errno?)?

    /// Makes a call that returns a negative number and sets `errno` on failure.
    static func make<Number: SignedInteger>(_ name: String, _ call: () -> Number) -> Number {
        guard let reason = fault?(name) else { return call() }
        errno = reason.rawValue
        return -1
    }

    /// The error of the C function that has just failed.
    static func failure(_ call: String, _ path: String? = nil) -> WormholeError {
        .system(call: call, path: path, Errno(rawValue: errno))
    }

    /// Runs system calls, and converts their errors to this module's.
    static func system<Value>(
        _ path: String? = nil, _ body: () throws(HostSystemError) -> Value
    ) throws(WormholeError) -> Value {
        if let reason = fault?("system") { throw .system(call: "system", path: path, reason) }
        do throws(HostSystemError) {
            return try body()
        } catch {
            throw .system(call: error.call, path: path, error.reason)
        }
    }

    /// Whether the peer has closed or the channel has failed.
    static func isHungUp(_ descriptor: CInt) -> Bool {
        PolledDescriptor(descriptor, .end).polled().isHungUp
    }
}
