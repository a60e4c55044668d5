import Glibc
import HostSystem
import SystemPackage

/// A listening socket that never blocks: what the listeners of every address family share.
///
/// All its calls may be made from any thread.
package final class ListeningSocket: Sendable {
    private let descriptor: OwnedDescriptor

    /// Takes over a socket that listens and does not block; it is closed with this object.
    package init(owning fileDescriptor: CInt) {
        descriptor = OwnedDescriptor(fileDescriptor)
    }

    /// The descriptor to poll, or nil once the socket is closed. It stays this object's.
    package var fileDescriptor: CInt? { descriptor.number }

    /// A connection that is waiting, or nil.
    ///
    /// - Parameter accept: accept(2) for the address family: a descriptor, or -1 with the reason in `errno`.
    /// - Throws: `.closed`; `.system`, as when the process has no descriptor left for peers: the connection then waits on.
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

    /// Waits until a connection may have come in.
    ///
    /// - Throws: `.closed` once the socket is closed or the task is cancelled; `.system` where the process has no
    ///   descriptor or thread left to wait with.
    package func waitForConnection() async throws(WormholeError) {
        guard !Task.isCancelled, let number = fileDescriptor else { throw .closed }
        try await SocketPoller.shared.wait(for: number, .readable) { fileDescriptor != nil }
    }

    /// Stops listening. Connections that were accepted stay open. Closing twice does nothing.
    ///
    /// - Parameter cleanUp: what to do just before, once.
    package func close(after cleanUp: () -> Void = {}) {
        let number = descriptor.close { _ in cleanUp() }
        if let number { SocketPoller.shared.forget(number) }
    }

    deinit { close() }
}
