import Glibc
import Synchronization
import SystemPackage

/// A POSIX thread.
package final class SystemThread: Sendable {
    private enum State {
        /// The thread has not been joined. It may have ended.
        case started(pthread_t)
        case joined
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private let state: Mutex<State>

    /// - Parameter stackSize: in bytes, a multiple of 4,096 and at least 16 KB. Nil means the system's default, usually
    ///   8 MB. Only the pages that the thread uses take memory.
    /// - Throws: an error if a limit on threads or memory allows no further thread.
    package init(stackSize: Int? = nil, body: @escaping @Sendable () -> Void) throws(HostSystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Body(body))
        let status = pthread_create(
            &thread, &attributes,
            { argument in
                // The argument is the reference that the creator retained for this thread.
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            throw HostSystemError("pthread_create", Errno(rawValue: status))
        }
        state = Mutex(.started(thread))
    }

    /// Detaches a thread that was never joined, so that the system frees the thread's resources when the thread ends.
    deinit {
        state.withLock { state in
            switch state {
            case .started(let thread): pthread_detach(thread)
            case .joined: break
            }
        }
    }

    /// Waits until the thread ends. The thread must not call this itself.
    package func join() {
        state.withLock { state in
            switch state {
            case .started(let thread):
                pthread_join(thread, nil)
                state = .joined
            case .joined:
                break
            }
        }
    }

    /// Calls `body`, which may block, on a new thread. The calling task suspends meanwhile.
    package static func result<Value: Sendable>(
        of body: @escaping @Sendable () -> Value
    ) async throws(HostSystemError) -> Value {
        let result: Result<Value, HostSystemError> = await withCheckedContinuation { continuation in
            do throws(HostSystemError) {
                _ = try SystemThread { continuation.resume(returning: .success(body())) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    package static func receiving(_ signal: CInt, _ body: () -> Void) {
        var wanted = sigset_t()
        var before = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, signal)
        pthread_sigmask(SIG_UNBLOCK, &wanted, &before)
        body()
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
