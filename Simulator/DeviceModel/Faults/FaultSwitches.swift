import Synchronization
import WatchLink

/// The faults of a running watch. Any thread may change them: the board and its `FaultyRadio` read them whenever they act.
public final class FaultSwitches: Sendable {
    private let state = Mutex(WatchFaults())
    private let observers = Mutex<[@Sendable () -> Void]>([])

    /// Switches without an active fault.
    public init() {}

    /// The active faults.
    public internal(set) var faults: WatchFaults {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Makes `change`, at `now` on the watch's clock.
    public func make(_ change: FaultChange, at now: Instant) {
        state.withLock { $0.make(change, at: now) }
        for observer in observers.withLock({ $0 }) { observer() }
    }

    /// Makes these the active faults, in place of those before.
    func set(_ faults: WatchFaults) {
        state.withLock { $0 = faults }
        for observer in observers.withLock({ $0 }) { observer() }
    }

    /// Calls `observer` after every change, on the thread that made it.
    package func observe(_ observer: @escaping @Sendable () -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Opens the link again where it was cut until `now` or earlier.
    func reopen(at now: Instant) {
        state.withLock { faults in
            if case .cutUntil(let end) = faults.link, end <= now { faults.link = .open }
        }
    }
}
