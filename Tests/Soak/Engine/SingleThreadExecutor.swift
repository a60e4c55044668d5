import Glibc
import Synchronization

/// Runs the jobs of Swift's concurrency that are enqueued on its own thread, one after the other in the order in which
/// they came: tasks and actors that run on it always take the same steps.
///
/// The runtime's hooks are the process's own, so they pass on whatever other threads enqueue.
final class SingleThreadExecutor {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void
    /// A job, and the two words of the executor that it runs on: none.
    private typealias RunJob = @convention(thin) (UnownedJob, Int, Int) -> Void

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Puts the hooks into the runtime, once, and finds the function that runs a job.
    private static let runJob: RunJob = {
        _ = key
        for name in ["swift_task_enqueueGlobal_hook", "swift_task_enqueueMainExecutor_hook"] {
            let hook = symbol(name).assumingMemoryBound(to: EnqueueHook?.self)
            hook.pointee = { job, original in
                guard let executor = SingleThreadExecutor.current else { return original(job) }
                executor.jobs.append(job)
            }
        }
        // `void swift_job_run(Job *, SerialExecutorRef)` of the runtime; a thin function has its calling convention.
        return unsafeBitCast(symbol("swift_job_run"), to: RunJob.self)
    }()

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer {
        guard let address = dlsym(nil, name) else { preconditionFailure("the Swift runtime has no \(name)") }
        return address
    }

    /// The executor of the present thread, nil on every other one.
    private static var current: SingleThreadExecutor? {
        pthread_getspecific(key).map { Unmanaged<SingleThreadExecutor>.fromOpaque($0).takeUnretainedValue() }
    }

    private var jobs: [UnownedJob] = []
    private var next = 0
    /// The jobs that have run.
    private(set) var count = 0

    /// An executor for everything that `body` does on this thread.
    static func use<Result>(_ body: (SingleThreadExecutor) -> Result) -> Result {
        _ = runJob
        let executor = SingleThreadExecutor()
        let before = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(executor).toOpaque())
        defer { pthread_setspecific(key, before) }
        return body(executor)
    }

    /// Runs jobs until there are none.
    func run() {
        while next < jobs.count {
            let job = jobs[next]
            next += 1
            count += 1
            SingleThreadExecutor.runJob(job, 0, 0)
        }
        if next > 0 {
            jobs.removeAll(keepingCapacity: true)
            next = 0
        }
    }

    /// Runs `body` as a task, and every other job, until there are none; nil if the task waits for something else.
    func result<Value: Sendable>(of body: @escaping @Sendable () async -> Value) -> Value? {
        let result = Mutex(Value?.none)
        let box = Box(result)
        Task.detached { [box] in
            let value = await body()
            box.contents.withLock { $0 = value }
        }
        run()
        return box.contents.withLock { $0 }
    }

    private final class Box<Value: Sendable>: Sendable {
        let contents: Mutex<Value?>

        init(_ contents: consuming Mutex<Value?>) {
            self.contents = contents
        }
    }
}
