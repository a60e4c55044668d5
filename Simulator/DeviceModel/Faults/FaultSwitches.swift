import Synchronization
import WatchLink

/// The way to what is wrong with a running watch, from every thread: `FaultyRadio` looks at it, and the board's own
/// faults follow it.
public final class FaultSwitches: Sendable {
    /// What is wrong with the board.
    public let board: BoardFaults
    private let state = Mutex(WatchFaults())
    private let observers = Mutex<[@Sendable () -> Void]>([])

    /// Nothing is wrong.
    public init(board: BoardFaults = BoardFaults()) {
        self.board = board
    }

    /// What is wrong.
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

    /// Has `observer` called after every change, from whichever thread made it.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Notes that the link is open again, if it was cut until `now` or before.
    func reopen(at now: Instant) {
        state.withLock { faults in
            if case .cutUntil(let end) = faults.link, end <= now { faults.link = .open }
        }
    }
}
