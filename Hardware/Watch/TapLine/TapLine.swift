import WatchLink

/// The taps that are under way: how many there were, the row that the last one holds, and the deferred stages that wait.
struct TapLine: ~Copyable {
    private var newest: UInt32 = 0
    private var hold: RowHold = .none
    private var update: PanelUpdate = .none
    private var deferred: DeferredQueue
    private let inPlace = InPlace()

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { DeferredQueue.memorySize }

    /// No tap yet, with memory for the queue taken from `arena`.
    init(arena: inout MemoryArena) {
        deferred = DeferredQueue(arena: &arena)
    }

    /// Begins the next tap: on the item whose row was `row` when the finger came down.
    mutating func begin(_ item: ItemID, row: Int, touchedAt: Instant) -> Tap {
        newest &+= 1
        return Tap(number: TapNumber(newest), item: item, row: row, touchedAt: touchedAt)
    }

    /// Notes when the panel showed what the newest tap's immediate stages have drawn.
    mutating func noteUpdate(at instant: Instant) {
        update = .shown(at: instant)
    }

    // MARK: The held row

    /// Whether a row is held. It keeps all rows where they are.
    var holdsRow: Bool { hold.deadline != nil }

    /// Whether the row of this item is held.
    func holdsRow(of item: ItemID) -> Bool { hold.isOf(item) }

    /// The item whose row is held.
    var heldItem: ItemID? { hold.item }

    /// When the held row goes.
    var deadline: Instant? { hold.deadline }

    /// Holds the row of a tap until the given time. Nothing may be held: whoever holds a row removes the one before.
    mutating func holdRow(of tap: Tap, until: Instant) {
        precondition(!holdsRow, "one row is held at a time")
        hold = .held(tap, until: until)
    }

    /// Ends the hold and returns the tap whose row it was, with the time for which the row has been on the panel on purpose;
    /// nil where none was held. After a slow handler that is no time at all.
    mutating func endHold(at now: Instant) -> (tap: Tap, held: Microseconds)? {
        switch hold {
        case .none:
            return nil
        case .held(let tap, let until):
            hold = .none
            return (tap, update.length(until: min(until, now)))
        }
    }

    // MARK: Deferred stages

    /// The taps whose deferred stages have not all run.
    var deferredCount: Int { deferred.count }

    /// Whether no deferred stage waits.
    var isQueueEmpty: Bool { deferred.isEmpty }

    /// Whether the deferred stages of one more tap have no room.
    var isQueueFull: Bool { deferred.isFull }

    /// Adds a tap whose deferred stages are all still to run. Traps when full.
    mutating func `defer`(_ tap: Tap) {
        deferred.append(tap)
    }

    /// The next deferred stage to run, nil when none waits. It counts as run from now on.
    mutating func nextDeferred(stagesPerTap: Int) -> (tap: Tap, stage: Int)? {
        deferred.next(stagesPerTap: stagesPerTap)
    }
}

/// When the panel last showed what a tap's immediate stages had drawn.
private enum PanelUpdate: BitwiseCopyable {
    /// No tap has been handled yet.
    case none
    /// At this moment.
    case shown(at: Instant)

    /// How long that has been so at `end`.
    func length(until end: Instant) -> Microseconds {
        switch self {
        case .none: .zero
        case .shown(let instant): end > instant ? end - instant : .zero
        }
    }
}
