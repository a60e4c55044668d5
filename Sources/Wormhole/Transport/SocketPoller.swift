import HostSystem
import Synchronization

/// One thread that waits for every descriptor that a task waits for, and runs the tasks that prefer it.
///
/// It sleeps in the kernel until a descriptor is ready, a wait is added or taken away, or a task is to run, and looks at each
/// descriptor only while somebody waits for it. A task that prefers it handles what arrives without another thread's being
/// woken, and must not block: everybody else who waits for a descriptor waits for it.
final class SocketPoller: TaskExecutor {
    /// The poller of this process; its thread starts with the first wait.
    static let shared = SocketPoller()

    /// The most pieces of tasks that run before the thread looks at the descriptors again.
    private static let mostJobs = 64

    private struct Wait {
        let number: UInt64
        let descriptor: CInt
        let interest: PolledDescriptor.Interest
        let continuation: CheckedContinuation<Void, Never>
    }

    private enum Worker {
        /// It starts with the first wait.
        case asleep
        /// It has something to do, and looks at its waits and jobs when that is done.
        case busy(wakeUp: EventDescriptor)
        /// It sleeps in the kernel, and looks at them again when this is signalled.
        case waiting(wakeUp: EventDescriptor)

        var isWaiting: Bool {
            switch self {
            case .asleep, .busy: false
            case .waiting: true
            }
        }

        mutating func wake() {
            switch self {
            case .asleep, .busy: break
            case .waiting(let wakeUp):
                wakeUp.signal()
                self = .busy(wakeUp: wakeUp)
            }
        }
    }

    private struct State {
        var worker = Worker.asleep
        var nextNumber: UInt64 = 0
        /// In the order of their numbers.
        var waits: [Wait] = []
        /// The pieces of tasks that are to run, in order.
        var jobs: [UnownedJob] = []

        /// Exchanges what is to run next for `ran`, whose memory the jobs to come use. Where that is nothing, the thread is to
        /// sleep, and what wakes it then is `wake`.
        mutating func takeJobs(_ ran: inout [UnownedJob], _ wakeUp: EventDescriptor) {
            ran.removeAll(keepingCapacity: true)
            swap(&ran, &jobs)
            worker = ran.isEmpty ? .waiting(wakeUp: wakeUp) : .busy(wakeUp: wakeUp)
        }
    }

    private let state = Mutex(State())

    /// Returns once the descriptor is ready, the task is cancelled, or `forget` is called. The caller tries its call again
    /// to find out which.
    ///
    /// - Throws: `.system` where this is the first wait and the process has no descriptor or thread left for the
    ///   poller.
    /// - Parameter isOpen: whether the descriptor is still the caller's socket. Its owner closes first and then calls
    ///   `forget`, so this ends a wait that is added too late for `forget`.
    nonisolated(nonsending) func wait(
        for descriptor: CInt, _ interest: PolledDescriptor.Interest, while isOpen: () -> Bool
    ) async throws(WormholeError) {
        let number = try state.withLock { state throws(WormholeError) in
            try startIfAsleep(&state)
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Wait(number: number, descriptor: descriptor, interest: interest, continuation: continuation))
                if Task.isCancelled || !isOpen() { end { $0.number == number } }
            }
        } onCancel: {
            end { $0.number == number }
        }
    }

    /// Ends every wait for the descriptor; called once it is closed. Where the number already means another file, that
    /// file's waits end too, and their callers find that nothing has happened and wait again.
    func forget(_ descriptor: CInt) {
        end { $0.descriptor == descriptor }
    }

    private func add(_ wait: Wait) {
        state.withLock { state in
            let later = state.waits.reversed().prefix { $0.number > wait.number }.count
            state.waits.insert(wait, at: state.waits.count - later)
            state.worker.wake()
        }
    }

    /// Removes waits, wakes the thread so that it notices, and resumes their tasks.
    private func end(where isWanted: (Wait) -> Bool) {
        let ended = state.withLock { state in
            let ended = state.waits.filter(isWanted)
            guard !ended.isEmpty else { return ended }
            state.waits.removeAll(where: isWanted)
            state.worker.wake()
            return ended
        }
        for wait in ended { wait.continuation.resume() }
    }

    /// Has a piece of a task run on the thread; where that cannot be started, on the threads of all tasks, where the first
    /// wait throws.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasThread = state.withLock { state in
            guard (try? startIfAsleep(&state)) != nil else { return false }
            state.jobs.append(job)
            state.worker.wake()
            return true
        }
        if !hasThread { globalConcurrentExecutor.enqueue(job) }
    }

    private func startIfAsleep(_ state: inout State) throws(WormholeError) {
        guard case .asleep = state.worker else { return }
        state.worker = try SocketCalls.system { () throws(HostSystemError) in
            let wakeUp = try EventDescriptor()
            _ = try SystemThread { [self] in run(wakeUp) }
            return .busy(wakeUp: wakeUp)
        }
    }

    private func run(_ wakeUp: EventDescriptor) -> Never {
        var jobs: [UnownedJob] = []
        var entries: [PolledDescriptor] = []
        var numbers: [UInt64] = []
        while true {
            runJobs(&jobs, wakeUp)
            // It wakes the thread, and stands before the waits.
            entries.removeAll(keepingCapacity: true)
            entries.append(PolledDescriptor(wakeUp.descriptor, .readable))
            let mayBlock = state.withLock { state in
                numbers.removeAll(keepingCapacity: true)
                for wait in state.waits {
                    numbers.append(wait.number)
                    entries.append(PolledDescriptor(wait.descriptor, wait.interest))
                }
                return state.worker.isWaiting
            }
            PolledDescriptor.wait(for: &entries, microseconds: mayBlock ? nil : 0)
            if entries[0].isReady { wakeUp.drain() }
            resume(zip(numbers, entries.dropFirst()).lazy.filter { $0.1.isReady }.map(\.0), wakeUp)
        }
    }

    /// Runs what is to run until nothing is left, or it is time to look at the descriptors.
    private func runJobs(_ jobs: inout [UnownedJob], _ wakeUp: EventDescriptor) {
        var count = 0
        while count < SocketPoller.mostJobs {
            state.withLock { $0.takeJobs(&jobs, wakeUp) }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            count += jobs.count
        }
    }

    /// Ends the waits of these numbers, in order, which others may have ended meanwhile.
    private func resume(_ numbers: some Sequence<UInt64>, _ wakeUp: EventDescriptor) {
        let ready = state.withLock { state in
            state.worker = .busy(wakeUp: wakeUp)
            return numbers.compactMap { number in
                state.waits.firstIndex { $0.number == number }.map { state.waits.remove(at: $0) }
            }
        }
        for wait in ready { wait.continuation.resume() }
    }
}
