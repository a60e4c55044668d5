import WatchLink

/// The taps whose deferred stages have not all run, oldest first. The run loop takes one stage at a time.
struct DeferredQueue {
    /// A tap and the deferred stage that is next for it.
    struct Job: BitwiseCopyable {
        var tap: Tap
        var stage: UInt8
    }

    private let jobs: FixedArray<Job>
    private var first = 0
    /// The number of taps that wait.
    private(set) var count = 0

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { WatchLimits.deferredTaps * MemoryLayout<Job>.stride }

    /// An empty queue, with its memory taken from `arena`.
    init(arena: inout MemoryArena) {
        let none = Tap(number: TapNumber(0), item: ItemID(0), row: 0, touchedAt: .start)
        jobs = arena.take(WatchLimits.deferredTaps, of: Job(tap: none, stage: 0))
    }

    /// Whether no stage waits.
    var isEmpty: Bool { count == 0 }

    /// Whether one more tap has no room.
    var isFull: Bool { count == WatchLimits.deferredTaps }

    /// Adds a tap whose deferred stages are all still to run. Traps when full: ask `isFull` first.
    mutating func append(_ tap: Tap) {
        precondition(!isFull, "the deferred queue is full")
        jobs[(first + count) % WatchLimits.deferredTaps] = Job(tap: tap, stage: 0)
        count += 1
    }

    /// The next stage to run, nil when none waits. It counts as run from now on.
    mutating func next(stagesPerTap: Int) -> (tap: Tap, stage: Int)? {
        guard count > 0 else { return nil }
        let job = jobs[first]
        let stage = Int(job.stage)
        if stage + 1 < stagesPerTap {
            jobs[first].stage = job.stage + 1
        } else {
            first = (first + 1) % WatchLimits.deferredTaps
            count -= 1
        }
        return (job.tap, stage)
    }
}
