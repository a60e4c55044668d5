import Glibc
import HostSystem
import SystemPackage

/// A listening socket of any address family. Thread-safe.
package final class ListeningSocket: Sendable {
    private let descriptor: OwnedDescriptor

    /// - Parameter fileDescriptor: a non-blocking listening socket. Releasing this object closes the socket.
    package init(owning fileDescriptor: CInt) {
        descriptor = OwnedDescriptor(fileDescriptor)
    }

    /// The socket's descriptor; nil once the socket is closed. Only this object may close the descriptor.
    package var fileDescriptor: CInt? { descriptor.number }

    /// Accepts the next waiting connection. Returns nil if no connection is waiting.
    /// - Parameter accept: calls accept(2) for the socket's address family. Returns a descriptor, or -1 with the reason in
    ///   `errno`.
    /// - Throws: `.closed`; `.system`, for example if the process has no descriptor to spare for a peer. The connection then
    ///   stays in the system's queue.
    package func acceptWaiting(
        _ accept: (CInt) -> CInt = { Glibc.accept($0, nil, nil) }
    ) throws(WormholeError) -> DatagramSocket? {
        let accepted = try descriptor.with { number throws(WormholeError) in
            guard Descriptors.haveRoomForPeer(beside: number) else {
                guard PolledDescriptor(number, .readable).polled().isReady else { return CInt?.none }
                throw .system(call: "accept", path: nil, .tooManyOpenFiles)
            }
            while true {
                let accepted = SocketCalls.make("accept") { accept(number) }
                guard accepted < 0 else { return CInt?.some(accepted) }
                switch Errno(rawValue: errno) {
                case .interrupted, .connectionAbort: continue
                case .wouldBlock: return nil
                default: throw SocketCalls.failure("accept")
                }
            }
        }
        guard let accepted else { throw .closed }
        guard let accepted else { return nil }
        let socket = DatagramSocket(owning: accepted)
        // Glibc's module has no accept4(2).
        Descriptors.closeOnExec(accepted)
        try SocketCalls.system { () throws(HostSystemError) in try Descriptors.setNonBlocking(accepted) }
        return socket
    }

    /// Waits until `acceptWaiting` may find a connection. Also returns if the socket is closed or the task is cancelled during
    /// the wait.
    /// - Throws: `.closed` if the socket was closed or the task cancelled before the call; `.system` if the process has no
    ///   descriptor or thread left for the wait.
    package func waitForConnection() async throws(WormholeError) {
        guard !Task.isCancelled, let number = fileDescriptor else { throw .closed }
        try await SocketPoller.shared.wait(for: number, .readable) { fileDescriptor != nil }
    }

    /// Runs `cleanUp` and then closes the socket. Does nothing if the socket is already closed. Accepted connections stay open.
    package func close(after cleanUp: () -> Void = {}) {
        let number = descriptor.close { _ in cleanUp() }
        if let number { SocketPoller.shared.forget(number) }
    }

    deinit { close() }
}
