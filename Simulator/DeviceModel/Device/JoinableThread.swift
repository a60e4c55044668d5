import Glibc
import Synchronization

/// A thread that can be waited for.
final class JoinableThread: Sendable {
    private enum State {
        /// It was started and nobody has waited for its end.
        case started(pthread_t)
        /// It has ended and its end has been taken note of.
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
    ///   - stackSize: bytes of stack, a multiple of 4,096 and at least 16 KB.
    ///   - body: what it does; it ends when this returns.
    /// - Throws: `.systemCall` when the machine has no room for another thread.
    init(stackSize: Int, body: @escaping @Sendable () -> Void) throws(DeviceModelError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Body(body))
        let status = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            throw .systemCall("pthread_create", errno: status)
        }
        state = Mutex(.started(thread))
    }

    /// Waits until the thread has ended. It must not be called by that thread itself.
    func join() {
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
}
