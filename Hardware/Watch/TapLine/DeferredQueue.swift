import WatchLink

/// The taps with deferred stages still to run, oldest first. The run loop takes one stage at a time.
struct DeferredQueue {
    struct Job: BitwiseCopyable {
        var tap: Tap
        var stage: UInt8
    }

    private let jobs: FixedArray<Job>
    private var first = 0
    private(set) var count = 0

    static var memorySize: Int { WatchLimits.deferredTaps * MemoryLayout<Job>.stride }

    init(arena: inout MemoryArena) {
        let unused = Tap(number: TapNumber(0), item: ItemID(0), row: 0, touchedAt: .start)
        jobs = arena.take(WatchLimits.deferredTaps, of: Job(tap: unused, stage: 0))
    }

    var isEmpty: Bool { count == 0 }

    var isFull: Bool { count == WatchLimits.deferredTaps }

    /// The tap whose stage is next, nil for none.
    var nextTap: TapNumber? { count == 0 ? nil : jobs[first].tap.number }

    /// Appends a tap. Traps when full.
    mutating func append(_ tap: Tap) {
        precondition(!isFull, "the deferred queue is full")
        jobs[(first + count) % WatchLimits.deferredTaps] = Job(tap: tap, stage: 0)
        count += 1
    }

    /// Takes the next stage to run, nil for none.
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
