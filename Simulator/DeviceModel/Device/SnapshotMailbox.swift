import HostSystem
import WatchLink

/// Carries snapshots from the thread that runs a watch to those that look at it.
final class SnapshotMailbox: Sendable {
    private let contents = WaitableState(WatchSnapshot())
    /// Signalled with every snapshot.
    let changes: EventDescriptor
    /// Sees every snapshot.
    let recorder = PanelRecorder()

    init() throws(DeviceModelError) {
        changes = try .make()
    }

    /// The newest snapshot.
    var snapshot: WatchSnapshot { contents.value }

    /// Replaces the newest snapshot and wakes everybody who waits for that.
    func publish(_ snapshot: WatchSnapshot) {
        recorder.show(snapshot.frame, at: snapshot.time)
        contents.change { $0 = snapshot }
        changes.signal()
    }

    /// Wakes everybody who waits, because the watch's time goes at another speed, or has stopped.
    func nudge() {
        contents.change { _ in }
        changes.signal()
    }

    /// Waits for a snapshot for which `condition` holds; `deadline` is on `clock`, `least` is of this machine's time.
    func wait(
        until deadline: Instant, atLeast least: Microseconds = .zero, on clock: HostClock,
        for condition: (WatchSnapshot) -> Bool
    ) -> WaitOutcome {
        let end = Instant(microseconds: ClockControl.machineTime) + least
        return contents.block { snapshot in
            if condition(snapshot) { return .finish(.met(snapshot)) }
            switch snapshot.phase {
            case .stopped, .failed: return .finish(.stopped(snapshot))
            case .running: break
            }
            let rest = end - Instant(microseconds: ClockControl.machineTime)
            guard clock.now < deadline || rest > .zero else { return .finish(.timedOut(snapshot)) }
            // A change of the watch's speed wakes this thread, which then computes the length again.
            return .wait(
                microseconds: max(clock.control.machineLength(until: deadline)?.count ?? .max, rest.count))
        }
    }
}
