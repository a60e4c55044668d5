import Glibc
import HostSystem
import SystemPackage

/// What the sockets of this module have in common.
enum SocketCalls {
    /// A peer that has gone is an error here and not a signal to the process.
    static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    /// `MSG_TRUNC` makes `recv` return the whole length of a datagram that is longer than the buffer.
    static let receiveFlags = CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC)

    /// The error of the C function that has just failed.
    static func failure(_ call: String, _ path: String? = nil) -> WormholeError {
        .system(call: call, path: path, Errno(rawValue: errno))
    }

    /// Runs calls of the operating system, with their errors as those of this module.
    static func system<Value>(
        _ path: String? = nil, _ body: () throws(HostSystemError) -> Value
    ) throws(WormholeError) -> Value {
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
