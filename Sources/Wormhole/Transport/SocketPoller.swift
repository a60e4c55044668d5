import HostSystem
import Synchronization

/// The thread that waits for sockets on behalf of tasks. It polls a socket's descriptor only while a task waits for the socket.
///
/// The thread also runs the tasks that prefer this executor. Such a task receives datagrams without a thread switch. The task
/// must not block, because that would delay all other waits.
final class SocketPoller: TaskExecutor {
    static let shared = SocketPoller()

    private static let mostJobs = 64

    private struct Wait {
        let number: UInt64
        let descriptor: CInt
        let interest: PolledDescriptor.Interest
        let continuation: CheckedContinuation<Void, Never>
    }

    private enum Worker {
        case notStarted
        /// The thread is running. It needs no signal, because it checks for new waits and jobs before it sleeps.
        case busy(wakeUp: EventDescriptor)
        /// The thread sleeps in poll(2), or is about to, until `wakeUp` is signalled or a descriptor is ready.
        case waiting(wakeUp: EventDescriptor)

        var isWaiting: Bool {
            switch self {
            case .notStarted, .busy: false
            case .waiting: true
            }
        }

        mutating func wake() {
            switch self {
            case .notStarted, .busy: break
            case .waiting(let wakeUp):
                wakeUp.signal()
                self = .busy(wakeUp: wakeUp)
            }
        }
    }

    private struct State {
        var worker = Worker.notStarted
        var nextNumber: UInt64 = 0
        var waits: [Wait] = []
        var jobs: [UnownedJob] = []

        /// Removes the finished jobs from `ran`, and moves all queued jobs to `ran`. If no job was queued, marks the thread as
        /// waiting.
        mutating func takeJobs(_ ran: inout [UnownedJob], _ wakeUp: EventDescriptor) {
            ran.removeAll(keepingCapacity: true)
            swap(&ran, &jobs)
            worker = ran.isEmpty ? .waiting(wakeUp: wakeUp) : .busy(wakeUp: wakeUp)
        }
    }

    private let state = Mutex(State())

    /// Waits until the descriptor is ready, the task is cancelled, or `forget` is called. The caller then tries its system call
    /// again.
    /// - Throws: `.system` if the poller's thread does not run yet and cannot be started.
    /// - Parameter isOpen: returns whether the descriptor still belongs to the caller's socket. The socket's owner closes the
    ///   descriptor and then calls `forget`. A wait that begins after `forget` ends at once, because `isOpen` returns false.
    nonisolated(nonsending) func wait(
        for descriptor: CInt, _ interest: PolledDescriptor.Interest, while isOpen: () -> Bool
    ) async throws(WormholeError) {
        let number = try state.withLock { state throws(WormholeError) in
            try startIfNeeded(&state)
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

    /// Ends all waits for a descriptor that was closed. If the system has already given the descriptor's number to another
    /// file, the waits for that file end too. Their callers find that the file is not ready, and wait again.
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

    /// Ends the waits for which `isWanted` returns true. Wakes the thread, so that it no longer polls their descriptors.
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

    /// Queues a job for the thread. If the thread does not run and cannot be started, the global executor runs the job. The
    /// next wait then tries again to start the thread, and throws if that fails.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasThread = state.withLock { state in
            guard (try? startIfNeeded(&state)) != nil else { return false }
            state.jobs.append(job)
            state.worker.wake()
            return true
        }
        if !hasThread { globalConcurrentExecutor.enqueue(job) }
    }

    private func startIfNeeded(_ state: inout State) throws(WormholeError) {
        guard case .notStarted = state.worker else { return }
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
            // The first entry wakes the thread. The waits follow.
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

    private func runJobs(_ jobs: inout [UnownedJob], _ wakeUp: EventDescriptor) {
        var count = 0
        while count < SocketPoller.mostJobs {
            state.withLock { $0.takeJobs(&jobs, wakeUp) }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            count += jobs.count
        }
    }

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
