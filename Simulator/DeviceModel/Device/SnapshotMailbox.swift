import Dispatch
import HostSystem
import Synchronization
import WatchLink

/// Carries snapshots from the thread that runs a watch to those that look at it.
final class SnapshotMailbox: Sendable {
    private struct Contents {
        var snapshot = WatchSnapshot()
        /// One for each thread that waits for a newer snapshot.
        var waiting: [DispatchSemaphore] = []
    }

    private let contents = Mutex(Contents())
    /// Signalled with every snapshot.
    let changes: EventDescriptor

    init() throws(DeviceModelError) {
        changes = try .make()
    }

    /// The newest snapshot.
    var snapshot: WatchSnapshot {
        contents.withLock { $0.snapshot }
    }

    /// Replaces the newest snapshot and wakes everybody who waits for that.
    func publish(_ snapshot: WatchSnapshot) {
        contents.withLock { contents in
            contents.snapshot = snapshot
            for semaphore in contents.waiting { semaphore.signal() }
        }
        changes.signal()
    }

    /// Wakes everybody who waits, because the watch's time goes at another speed, or has stopped.
    func nudge() {
        contents.withLock { contents in
            for semaphore in contents.waiting { semaphore.signal() }
        }
        changes.signal()
    }

    /// Waits for a snapshot for which `condition` holds; `deadline` is on `clock`, `least` is of this machine's time.
    func wait(
        until deadline: Instant, atLeast least: Microseconds = .zero, on clock: HostClock,
        for condition: (WatchSnapshot) -> Bool
    ) -> WaitOutcome {
        let end = Instant(microseconds: ClockControl.machineTime) + least
        let semaphore = DispatchSemaphore(value: 0)
        contents.withLock { $0.waiting.append(semaphore) }
        defer { contents.withLock { $0.waiting.removeAll { $0 === semaphore } } }
        while true {
            let snapshot = snapshot
            if condition(snapshot) { return .met(snapshot) }
            switch snapshot.phase {
            case .stopped, .failed: return .stopped(snapshot)
            case .running: break
            }
            let rest = end - Instant(microseconds: ClockControl.machineTime)
            guard clock.now < deadline || rest > .zero else { return .timedOut(snapshot) }
            // An hour is far inside of what Dispatch can count; the loop waits again for the rest, or for the watch's time to
            // go on.
            let length = min(
                max(clock.control.machineLength(until: deadline)?.count ?? .max, rest.count), 3_600_000_000)
            // A snapshot that came since the condition was judged has signalled already.
            _ = semaphore.wait(timeout: .now() + .microseconds(Int(length)))
        }
    }
}
