import HostSystem
import Watch
import WatchLink

/// Runs a watch's program step by step and publishes a snapshot whenever there is something new to see.
struct WatchEngine<Program: WatchProgram & ~Copyable>: ~Copyable {
    private(set) var program: Program
    private let mailbox: SnapshotMailbox
    private(set) var latest = WatchSnapshot()

    init(_ program: consuming Program, mailbox: SnapshotMailbox) {
        self.program = program
        self.mailbox = mailbox
    }

    mutating func start() {
        program.start()
        publish(handled: latest.handled)
    }

    mutating func step() -> NextStep {
        let next = program.step()
        switch program.surface.condition {
        case .working: break
        case .failed:
            // It is in the middle of a step: asked for its screen, machine code would go on from there.
            publish(latest.description, handled: latest.handled, as: .atRest)
            return next
        }
        switch next {
        case .again:
            let output = program.surface.output
            let isVisible =
                output.screenChanges != latest.output.screenChanges || output.linesWritten != latest.output.linesWritten
            if isVisible { publish(handled: latest.handled, as: .working) }
        case .idle:
            // What followed at once from the inputs taken so far is done.
            let handled = program.surface.handled
            let screen = program.describe()
            if handled != latest.handled || program.surface.output.revision != latest.output.revision
                || screen != latest.description || panelRows(.atRest) != latest.panelRows
            {
                publish(screen, handled: handled, as: .atRest)
            }
        }
        return next
    }

    private enum Activity {
        case working
        /// It waits, with nothing left to send to the panel.
        case atRest
    }

    private func panelRows(_ activity: Activity) -> WatchSnapshot.PanelRows {
        guard program.isPanelCurrent else { return .behind }
        return switch (activity, program.surface.output.panelRun) {
        case (.working, .perhapsPart): .behind
        case (.working, .last), (.atRest, _): .current
        }
    }

    /// Performs a request on a program that is at rest, and publishes the first frame after a restart.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let image = try program.perform(request)
        publish(handled: program.surface.handled)
        return image
    }

    var phase: WatchSnapshot.Phase { latest.phase }

    /// Publishes the last snapshot, unless the watch has failed: then it is out already.
    mutating func finish() {
        switch latest.phase {
        case .failed: return
        case .running, .stopped: break
        }
        latest.phase = .stopped
        publish(handled: latest.handled)
    }

    private mutating func publish(handled: InputNumber, as activity: Activity = .atRest) {
        publish(program.describe(), handled: handled, as: activity)
    }

    private mutating func publish(_ screen: ScreenDescription, handled: InputNumber, as activity: Activity) {
        latest.description = screen
        latest.panelRows = panelRows(activity)
        latest.number += 1
        switch program.surface.condition {
        case .working: break
        case .failed(let reason): latest.phase = .failed(reason: reason)
        }
        latest.time = program.surface.clock.now
        latest.output = program.surface.output
        latest.handled = handled
        mailbox.publish(latest)
    }
}

/// Carries snapshots from the thread that runs a watch to those that look at it.
final class SnapshotMailbox: Sendable {
    private let contents = WaitableState(WatchSnapshot())
    let changes: EventDescriptor
    let recorder = PanelRecorder()

    init() throws(DeviceModelError) {
        changes = try .make()
    }

    var snapshot: WatchSnapshot { contents.value }

    func publish(_ snapshot: WatchSnapshot) {
        recorder.show(snapshot.frame, at: snapshot.time)
        contents.change { $0 = snapshot }
        changes.signal()
    }

    /// Wakes every waiting thread, because the watch's time goes at another speed.
    func nudge() {
        contents.change { _ in }
        changes.signal()
    }

    /// Waits for a snapshot for which `condition` holds. `deadline` is on `clock`, `least` on this machine's clock.
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
