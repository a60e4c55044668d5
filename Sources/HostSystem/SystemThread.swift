import Glibc
import Synchronization
import SystemPackage

/// A thread of the operating system. It ends when its body returns; `join()` waits for that.
package final class SystemThread: Sendable {
    private enum State {
        /// It may still run; nobody has waited for its end.
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

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - stackSize: bytes of stack, a multiple of 4,096 and at least 16 KB; nil for the system's default (8 MB,
    ///     reserved only).
    ///   - body: what the thread does.
    /// - Throws: when the process or the machine has no room for another thread.
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
                // The argument is the one retained reference that was passed to this thread.
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

    /// A thread that nobody has joined releases itself when it ends.
    deinit {
        state.withLock { state in
            switch state {
            case .started(let thread): pthread_detach(thread)
            case .joined: break
            }
        }
    }

    /// Waits until the thread has ended. It must not be called by that thread itself.
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

    /// Runs `body`, which may block, on a thread of its own. The caller's task waits without blocking a thread.
    ///
    /// - Throws: when the process or the machine has no room for another thread.
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

    /// Runs `body` while this thread receives a signal that it may have blocked.
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
