import Glibc
import Synchronization

/// One thread that waits with poll(2) for every descriptor that a task waits for.
///
/// It sleeps in the kernel until a descriptor is ready or a wait is added or taken away, and looks at each descriptor only
/// while somebody waits for it.
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
        case asleep
        case running(WakePipe)
    }

    private struct State {
        var worker = Worker.asleep
        var nextNumber: UInt64 = 0
        var waits: [UInt64: Wait] = [:]
    }

    private let state = Mutex(State())

    /// Returns once the descriptor is ready, the task is cancelled, or `forget` is called: the caller tries its call and finds out.
    ///
    /// - Parameter isOpen: whether the descriptor still means the caller's socket. Its owner closes first and calls `forget` then,
    ///   so a wait that is added too late for `forget` is ended by this question.
    func wait(for descriptor: CInt, _ readiness: Readiness, while isOpen: () -> Bool) async {
        let number = state.withLock { state in
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

    /// Ends every wait for the descriptor, to be called once it is closed. Where the number means another file by now, that
    /// one's waits end too, and their callers find that nothing has happened and wait again.
    func forget(_ descriptor: CInt) {
        end { _, wait in wait.descriptor == descriptor }
    }

    private func add(_ wait: Wait, number: UInt64) {
        state.withLock { state in
            state.waits[number] = wait
            switch state.worker {
            case .asleep: state.worker = .running(start())
            case .running(let pipe): pipe.wake()
            }
        }
    }

    /// Takes waits away, lets the thread take notice, and lets their tasks go on.
    private func end(where isWanted: (UInt64, Wait) -> Bool) {
        let ended = state.withLock { state in
            let numbers = state.waits.filter { isWanted($0.key, $0.value) }.keys
            if case .running(let pipe) = state.worker, !numbers.isEmpty { pipe.wake() }
            return numbers.compactMap { state.waits.removeValue(forKey: $0) }
        }
        for wait in ended { wait.continuation.resume() }
    }

    private func start() -> WakePipe {
        let pipe = WakePipe()
        let context = Unmanaged.passRetained(PollThread(poller: self, pipe: pipe))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                // The context is the one retained reference that was handed to this thread.
                guard let context else { return nil }
                Unmanaged<PollThread>.fromOpaque(context).takeRetainedValue().run()
            }, context.toOpaque())
        precondition(failure == 0, "the process can start no thread")
        pthread_detach(thread)
        return pipe
    }

    /// What the thread waits for at present, after the descriptor that wakes it.
    fileprivate func entries(after first: CInt) -> (numbers: [UInt64], entries: [pollfd]) {
        state.withLock { state in
            let waits = Array(state.waits)
            let entries = waits.map { pollfd(fd: $0.value.descriptor, events: $0.value.readiness.events, revents: 0) }
            return (waits.map(\.key), [pollfd(fd: first, events: Int16(POLLIN), revents: 0)] + entries)
        }
    }

    fileprivate func resume(_ numbers: [UInt64]) {
        let ready = state.withLock { state in numbers.compactMap { state.waits.removeValue(forKey: $0) } }
        for wait in ready { wait.continuation.resume() }
    }
}

/// What the thread of a poller runs.
private final class PollThread {
    private let poller: SocketPoller
    private let pipe: WakePipe

    init(poller: SocketPoller, pipe: WakePipe) {
        self.poller = poller
        self.pipe = pipe
    }

    func run() -> Never {
        while true {
            var (numbers, entries) = poller.entries(after: pipe.readEnd)
            guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
            if entries[0].revents != 0 { pipe.drain() }
            poller.resume(zip(numbers, entries.dropFirst()).filter { $0.1.revents != 0 }.map(\.0))
        }
    }
}

/// A pipe to wake the thread out of poll(2).
private struct WakePipe: Sendable {
    let readEnd: CInt
    private let writeEnd: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        precondition(pipe(&ends) == 0, "the process has no descriptor left to be woken by")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Makes the next or the present poll return. A full pipe does so already.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Takes all that was written.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
