import Glibc
import Synchronization

/// What is known of a thread that runs a measurement: a signal handler on that thread may read and change it.
final class GuardState: Sendable {
    /// How a run has ended.
    enum Outcome: Int {
        /// It has not.
        case running = 0
        /// As it should.
        case finished = 1
        /// By a trap.
        case trapped = 2
        /// It was stopped by whoever waited for it.
        case stopped = 3
        /// A stage let the watch's clock go on beyond the limit.
        case waited = 4
    }

    /// The address of the semaphore that is posted when the run has ended. It lives as long as this object.
    private let semaphore: UInt
    /// Counts up with every beginning and end of a stage: odd while one runs.
    private let beats = Atomic<Int>(0)
    /// Where the name of the stage that began last is. A name is a literal, which is never moved.
    private let name = Atomic<UInt>(0)
    private let nameLength = Atomic<Int>(0)
    private let state = Atomic<Int>(Outcome.running.rawValue)

    init() {
        let memory = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(memory, 0, 0)
        semaphore = UInt(bitPattern: memory)
    }

    deinit {
        guard let memory = UnsafeMutablePointer<sem_t>(bitPattern: semaphore) else { return }
        sem_destroy(memory)
        memory.deallocate()
    }

    func began(_ stage: StaticString) {
        name.store(stage.hasPointerRepresentation ? UInt(bitPattern: stage.utf8Start) : 0, ordering: .relaxed)
        nameLength.store(stage.hasPointerRepresentation ? stage.utf8CodeUnitCount : 0, ordering: .relaxed)
        beats.add(1, ordering: .sequentiallyConsistent)
    }

    func ended() {
        beats.add(1, ordering: .sequentiallyConsistent)
    }

    /// The number of beginnings and ends so far: odd while a stage runs.
    var beat: Int { beats.load(ordering: .sequentiallyConsistent) }

    /// The name of the stage that runs, nil while none does.
    var runningStage: String? {
        guard !beat.isMultiple(of: 2) else { return nil }
        guard let start = UnsafePointer<UInt8>(bitPattern: name.load(ordering: .relaxed)) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: nameLength.load(ordering: .relaxed))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How the run has ended, if it has.
    var outcome: Outcome {
        Outcome(rawValue: state.load(ordering: .sequentiallyConsistent)) ?? .running
    }

    /// Notes how the run has ended, and wakes whoever waits for it. It does only what a signal handler may.
    func end(_ outcome: Outcome) {
        let (isFirst, _) = state.compareExchange(
            expected: Outcome.running.rawValue, desired: outcome.rawValue, ordering: .sequentiallyConsistent)
        guard isFirst, let memory = UnsafeMutablePointer<sem_t>(bitPattern: semaphore) else { return }
        sem_post(memory)
    }

    /// Waits until the run has ended, for so long at most.
    func wait(milliseconds: Int) {
        guard let memory = UnsafeMutablePointer<sem_t>(bitPattern: semaphore) else { return }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_nsec += (milliseconds % 1_000) * 1_000_000
        deadline.tv_sec += milliseconds / 1_000 + deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        // An interruption or an early end makes whoever called look again.
        _ = sem_timedwait(memory, &deadline)
    }

    /// Ends the run and keeps its thread asleep for ever: nothing on its stack can be trusted, or unwound.
    func abandon(_ outcome: Outcome) -> Never {
        end(outcome)
        while true { pause() }
    }
}
