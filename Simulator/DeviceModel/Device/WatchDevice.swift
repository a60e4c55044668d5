import Watch
import WatchLink

/// How a wait for a condition ended, with the snapshot that it was judged by.
public enum WaitOutcome: Sendable {
    /// The condition holds.
    case met(WatchSnapshot)
    /// The deadline passed and the condition does not hold.
    case timedOut(WatchSnapshot)
    /// The watch was stopped, or has failed, and the condition does not hold.
    case stopped(WatchSnapshot)

    /// The snapshot that it was judged by.
    public var snapshot: WatchSnapshot {
        switch self {
        case .met(let snapshot), .timedOut(let snapshot), .stopped(let snapshot): snapshot
        }
    }
}

/// A running watch, as a front end sees it: it takes input and shows what it is like at the moment.
///
/// Every method may be called from every thread.
public protocol WatchDevice: Sendable {
    /// The time since the watch started.
    var now: Instant { get }

    /// What the watch is like at the moment. It never waits for the watch.
    var snapshot: WatchSnapshot { get }

    /// Readable when there is a newer snapshot: watch its descriptor in an event loop, drain it, then look at `snapshot`.
    /// It serves one event loop; anybody else uses `wait`.
    var changes: EventDescriptor { get }

    /// Lets the wearer do `input` now.
    ///
    /// - Returns: the input's number, which `WatchSnapshot.handled` reaches when the watch has handled it.
    @discardableResult func send(_ input: Input) -> InputNumber

    /// The number of the newest input that was sent.
    var sent: InputNumber { get }

    /// Waits until `condition` holds for a snapshot, the watch's clock reaches `deadline`, or the watch stops. The
    /// condition is judged at once and then for the newest snapshot whenever there is one.
    func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome

    /// Stops the watch and returns when it has stopped. A second time it does nothing.
    func stop()
}

extension WatchDevice {
    /// Waits until `condition` holds, but no longer than `length` on the watch's clock.
    public func wait(for length: Microseconds, until condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        wait(until: now + length, for: condition)
    }

    /// Waits until every input sent before has been handled, but no longer than `length` on the watch's clock.
    public func settle(within length: Microseconds = .seconds(30)) -> WaitOutcome {
        let newest = sent
        return wait(for: length) { $0.handled >= newest }
    }
}
