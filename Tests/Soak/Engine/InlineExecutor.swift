import Synchronization

/// Runs tasks on the thread that calls `run()`, in the order of arrival. Every run of a plan then does the same.
final class InlineExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs jobs until every task has ended or is suspended.
    func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    func begin(_ body: @escaping @Sendable () async -> Void) {
        Task.detached(executorPreference: self) { await body() }
    }

    /// Runs `body` as a task, together with all other tasks. Returns nil if `body` is still suspended when nothing is
    /// left to run.
    func result<Value: Sendable>(of body: @escaping @Sendable () async -> Value) -> Value? {
        let box = Box<Value>()
        begin {
            let value = await body()
            box.value.withLock { $0 = value }
        }
        run()
        return box.value.withLock { $0 }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex(Value?.none)
    }
}
