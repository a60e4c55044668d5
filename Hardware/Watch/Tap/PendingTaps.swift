import WatchLink

struct PendingTaps: ~Copyable {
    private struct RowHold: BitwiseCopyable {
        var tap: Tap
        var until: Instant
    }

    /// A row that has left the list, but is still on the panel.
    struct LeavingRow: BitwiseCopyable {
        let tap: TapNumber
        let held: Microseconds
    }

    private var newest: UInt32 = 0
    private var decided: UInt32 = 0
    /// Which of the last 32 taps were refused, one bit for each tap. Bit 0 is for the newest tap.
    private var refused: UInt32 = 0
    private var hold: RowHold?
    private var leaving: LeavingRow?
    /// When the panel showed the effects of the newest tap's immediate stages.
    private var updatedAt: Instant?
    var deferred: DeferredQueue
    private let inPlace = InPlace()

    static var memorySize: Int { DeferredQueue.memorySize }

    init(arena: inout MemoryArena) {
        deferred = DeferredQueue(arena: &arena)
    }

    /// Makes a tap with the next number. `row` is the present index of the item's row.
    mutating func begin(_ item: ItemID, row: Int, touchedAt: Instant) -> Tap {
        newest &+= 1
        refused &<<= 1
        return Tap(number: TapNumber(newest), item: item, row: row, touchedAt: touchedAt)
    }

    mutating func recordUpdate(at instant: Instant) {
        updatedAt = instant
    }

    mutating func decide(_ tap: Tap) {
        decided = tap.number.count
    }

    mutating func refuse(_ tap: Tap) {
        decided = tap.number.count
        let age = newest &- tap.number.count
        if age < 32 { refused |= 1 &<< age }
        if holdsRow(of: tap.item) { hold = nil }
    }

    func isRefused(_ tap: Tap) -> Bool {
        let age = newest &- tap.number.count
        return age < 32 && refused &>> age & 1 == 1
    }

    /// Whether deferred stages must still run before the held row's tap is either stored or refused. While this is true, the
    /// row stays on the list.
    var isHeldTapOpen: Bool {
        guard let held = hold?.tap, let next = deferred.nextTap else { return false }
        return held.number.count > decided && next.count <= held.number.count
    }

    var isRowLeaving: Bool { leaving != nil }

    /// Records that the tap's row has left the list. The parameter `held` is the time that `endHold` returned.
    mutating func beginLeaving(_ tap: Tap, held: Microseconds) {
        leaving = LeavingRow(tap: tap.number, held: held)
    }

    /// Records that the panel no longer shows the leaving row, and returns that row. Returns nil if no row is leaving.
    mutating func endLeaving() -> LeavingRow? {
        defer { leaving = nil }
        return leaving
    }

    /// Whether a checked-off row is held in place. While it is held, no row moves on the panel.
    var holdsRow: Bool { hold != nil }

    func holdsRow(of item: ItemID) -> Bool { hold?.tap.item == item }

    var heldItem: ItemID? { hold?.tap.item }

    var deadline: Instant? { hold?.until }

    /// Holds the tap's row in place until `until`. Traps if a row is already held.
    mutating func holdRow(of tap: Tap, until: Instant) {
        precondition(!holdsRow, "one row is held at a time")
        hold = RowHold(tap: tap, until: until)
    }

    /// Ends the hold; returns nil if no row is held. The result `held` is the time from the panel's update for the tap until
    /// `now`, or until the planned end of the hold if the planned end is earlier than `now`.
    mutating func endHold(at now: Instant) -> (tap: Tap, held: Microseconds)? {
        guard let ended = hold else { return nil }
        hold = nil
        return (ended.tap, updatedAt.map { min(ended.until, now) - $0 } ?? .zero)
    }
}

/// A tap on a row. The runtime passes it to the handler's stages.
public struct Tap: Sendable, BitwiseCopyable {
    /// The tap's number in trace events.
    public let number: TapNumber
    /// The item whose row was touched.
    public let item: ItemID
    /// When the finger was lifted. `BoardClock.calendar(at:)` converts this time to local time. The conversion takes a few
    /// divisions, so call it in a deferred stage, while the wearer does not wait.
    public let touchedAt: Instant
    // The last field, and only one byte: so a tap has no gaps and takes 17 bytes. The deferred queue has room for 32 taps.
    private let rowByte: UInt8

    init(number: TapNumber, item: ItemID, row: Int, touchedAt: Instant) {
        self.number = number
        self.item = item
        self.touchedAt = touchedAt
        rowByte = UInt8(truncatingIfNeeded: row)
    }

    /// The index of the item's row when the tap began, from 0 to 128. The row may have moved since.
    public var row: Int { Int(rowByte) }
}

/// The taps whose deferred stages have not all run, oldest first. The run loop runs one stage at a time.
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

    var nextTap: TapNumber? { count == 0 ? nil : jobs[first].tap.number }

    /// Traps if the queue is full.
    mutating func append(_ tap: Tap) {
        precondition(!isFull, "the deferred queue is full")
        jobs[(first + count) % WatchLimits.deferredTaps] = Job(tap: tap, stage: 0)
        count += 1
    }

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
