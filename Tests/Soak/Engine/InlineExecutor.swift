import Synchronization

/// Runs tasks on the thread of the simulation, one step after the other in the order in which they came: what an owner's command
/// or a sync with a calendar server does is the same in every run.
final class InlineExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs until every task has ended or waits.
    func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    func begin(_ body: @escaping @Sendable () async -> Void) {
        Task.detached(executorPreference: self) { await body() }
    }

    /// Runs `body` as a task, and every other job, until there are none; nil if the task waits for something else.
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
