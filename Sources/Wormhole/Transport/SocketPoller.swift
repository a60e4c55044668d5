import Glibc
import HostSystem
import Synchronization

/// One thread that waits with poll(2) for every descriptor that a task waits for.
///
/// It sleeps in the kernel until a descriptor is ready or a wait is added or taken away, and looks at each descriptor
/// only while somebody waits for it.
final class SocketPoller: Sendable {
    /// What to wait for.
    enum Readiness: Sendable {
        /// A datagram or a connection has arrived, or the peer has closed.
        case readable
        /// There is room to send, or the peer has closed.
        case writable

        fileprivate var events: Int16 {
            switch self {
            case .readable: Int16(POLLIN)
            case .writable: Int16(POLLOUT)
            }
        }
    }

    /// The poller of this process; its thread starts with the first wait.
    static let shared = SocketPoller()

    private struct Wait {
        let descriptor: CInt
        let readiness: Readiness
        let continuation: CheckedContinuation<Void, Never>
    }

    private enum Worker {
        /// It starts with the first wait.
        case asleep
        /// It runs, and looks at its waits again when this is signalled.
        case running(wakeUp: EventDescriptor)

        func wake() {
            switch self {
            case .asleep: break
            case .running(let wakeUp): wakeUp.signal()
            }
        }
    }

    private struct State {
        var worker = Worker.asleep
        var nextNumber: UInt64 = 0
        var waits: [UInt64: Wait] = [:]
    }

    private let state = Mutex(State())

    /// Returns once the descriptor is ready, the task is cancelled, or `forget` is called: the caller tries its call
    /// and finds out.
    ///
    /// - Throws: `.system` where this is the first wait and the process has no descriptor or thread left for the
    ///   poller.
    /// - Parameter isOpen: whether the descriptor still means the caller's socket. Its owner closes first and calls
    ///   `forget` then, so a wait that is added too late for `forget` is ended by this question.
    func wait(
        for descriptor: CInt, _ readiness: Readiness, while isOpen: () -> Bool
    ) async throws(WormholeError) {
        let number = try state.withLock { state throws(WormholeError) in
            if case .asleep = state.worker { state.worker = .running(wakeUp: try start()) }
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Wait(descriptor: descriptor, readiness: readiness, continuation: continuation), number: number)
                if Task.isCancelled || !isOpen() { end { candidate, _ in candidate == number } }
            }
        } onCancel: {
            end { candidate, _ in candidate == number }
        }
    }

    /// Ends every wait for the descriptor, to be called once it is closed. Where the number means another file by now,
    /// that one's waits end too, and their callers find that nothing has happened and wait again.
    func forget(_ descriptor: CInt) {
        end { _, wait in wait.descriptor == descriptor }
    }

    private func add(_ wait: Wait, number: UInt64) {
        state.withLock { state in
            state.waits[number] = wait
            state.worker.wake()
        }
    }

    /// Takes waits away, lets the thread take notice, and lets their tasks go on.
    private func end(where isWanted: (UInt64, Wait) -> Bool) {
        let ended = state.withLock { state in
            let numbers = state.waits.filter { isWanted($0.key, $0.value) }.keys
            if !numbers.isEmpty { state.worker.wake() }
            return numbers.compactMap { state.waits.removeValue(forKey: $0) }
        }
        for wait in ended { wait.continuation.resume() }
    }

    private func start() throws(WormholeError) -> EventDescriptor {
        do throws(HostSystemError) {
            let wakeUp = try EventDescriptor()
            _ = try SystemThread { [self] in run(wakeUp) }
            return wakeUp
        } catch {
            throw .system(call: error.call, path: nil, error.reason)
        }
    }

    private func run(_ wakeUp: EventDescriptor) -> Never {
        while true {
            var (numbers, entries) = entries(after: wakeUp.descriptor)
            guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
            if entries[0].revents != 0 { wakeUp.drain() }
            resume(zip(numbers, entries.dropFirst()).filter { $0.1.revents != 0 }.map(\.0))
        }
    }

    /// What the thread waits for at present, after the descriptor that wakes it.
    private func entries(after first: CInt) -> (numbers: [UInt64], entries: [pollfd]) {
        state.withLock { state in
            let waits = Array(state.waits)
            let entries = waits.map { pollfd(fd: $0.value.descriptor, events: $0.value.readiness.events, revents: 0) }
            return (waits.map(\.key), [pollfd(fd: first, events: Int16(POLLIN), revents: 0)] + entries)
        }
    }

    private func resume(_ numbers: [UInt64]) {
        let ready = state.withLock { state in numbers.compactMap { state.waits.removeValue(forKey: $0) } }
        for wait in ready { wait.continuation.resume() }
    }
}
