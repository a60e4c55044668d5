import Synchronization
import WatchLink

/// Switches the faults of a running watch, from any thread. `FaultyRadio` reads them, and the board's own faults follow
/// them.
public final class FaultSwitches: Sendable {
    /// The faults of the board.
    public let board: BoardFaults
    private let state = Mutex(WatchFaults())
    private let observers = Mutex<[@Sendable () -> Void]>([])

    /// Switches without an active fault.
    public init(board: BoardFaults = BoardFaults()) {
        self.board = board
    }

    /// The active faults.
    public var faults: WatchFaults { state.withLock { $0 } }

    /// Makes `change`, at `now` on the watch's clock.
    public func make(_ change: FaultChange, at now: Instant) {
        state.withLock { faults in
            faults.make(change, at: now)
            board.flashPace = faults.flash
            board.supply = faults.supply
        }
        for observer in observers.withLock({ $0 }) { observer() }
    }

    /// Calls `observer` after every change, on the thread that made it.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Opens the link again where it was cut until `now` or earlier.
    func reopen(at now: Instant) {
        state.withLock { faults in
            if case .cutUntil(let end) = faults.link, end <= now { faults.link = .open }
        }
    }
}
