import Glibc
import Synchronization
import SystemPackage

/// A listening socket that never blocks: what the listeners of every address family share.
///
/// All its calls may be made from any thread.
package final class ListeningSocket: Sendable {
    private enum Descriptor {
        case listening(CInt)
        case closed
    }

    private let descriptor: Mutex<Descriptor>

    /// Takes over a socket that listens and does not block; it is closed with this object.
    package init(owning fileDescriptor: CInt) {
        descriptor = Mutex(.listening(fileDescriptor))
    }

    /// The descriptor to poll for `POLLIN`, or nil once the socket is closed. It stays this object's.
    package var fileDescriptor: CInt? {
        descriptor.withLock { state in
            switch state {
            case .listening(let number): number
            case .closed: nil
            }
        }
    }

    /// A connection that has come in already, or nil.
    ///
    /// - Parameter accept: accept(2) as the family wants it: a descriptor, or -1 with the reason in `errno`.
    /// - Throws: `.closed`; `.system`, as when the process has no descriptor left.
    package func acceptWaiting(
        _ accept: (CInt) -> CInt = { Glibc.accept($0, nil, nil) }
    ) throws(WormholeError) -> DatagramSocket? {
        let accepted: CInt? = try descriptor.withLock { state throws(WormholeError) in
            guard case .listening(let number) = state else { throw .closed }
            while true {
                let accepted = accept(number)
                guard accepted < 0 else { return accepted }
                switch Errno(rawValue: errno) {
                case .interrupted, .connectionAbort: continue
                case .wouldBlock: return nil
                default: throw SocketCalls.failure("accept")
                }
            }
        }
        guard let accepted else { return nil }
        // accept4 cannot be imported. A child process that starts in between inherits one connection, for as long as it
        // runs.
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        do throws(WormholeError) {
            return try DatagramSocket(owning: accepted)
        } catch {
            _ = Glibc.close(accepted)
            throw error
        }
    }

    /// Waits until a connection may have come in.
    ///
    /// - Throws: `.closed` once the socket is closed or the task is cancelled; `.system` where the process has no
    ///   descriptor or thread left to wait with.
    package func waitForConnection() async throws(WormholeError) {
        guard !Task.isCancelled, let number = fileDescriptor else { throw .closed }
        try await SocketPoller.shared.wait(for: number, .readable) { self.fileDescriptor != nil }
    }

    /// Stops listening. Connections that were accepted stay open. Closing twice does nothing.
    ///
    /// - Parameter cleanUp: what is to be done just before, once.
    package func close(after cleanUp: () -> Void = {}) {
        let number: CInt? = descriptor.withLock { state in
            guard case .listening(let number) = state else { return nil }
            state = .closed
            cleanUp()
            _ = Glibc.close(number)
            return number
        }
        if let number { SocketPoller.shared.forget(number) }
    }

    deinit { close() }
}
