import HostSystem
import Synchronization
import Watch
import WatchLink

/// A watch on a virtual clock. It runs only while a caller waits, on that caller's thread, at full speed. The same inputs and
/// waits always give the same snapshots, byte for byte.
public final class VirtualWatch<Program: WatchProgram & ~Copyable>: WatchDevice {
    /// Controls the watch's wall clock.
    public let calendar: CalendarControl?
    /// Controls the battery's charge.
    public let battery: BatteryControl?
    /// Controls the watch's faults.
    public let faults: FaultSwitches?
    /// The virtual clock. Callers can schedule events on it, such as a change on the phone.
    public let clock: VirtualClock

    private let engine: Mutex<WatchEngine<Program>>
    private let mailbox: SnapshotMailbox
    private let inputs: InputQueue

    /// Starts `program`. Returns when the program has drawn its first frame.
    ///
    /// - Parameters:
    ///   - program: the watch's program. Its surface must use a virtual clock.
    ///   - faults: the faults of the board and the radio link.
    ///   - battery: controls the battery's charge.
    /// - Throws: `.systemCall` if the process is out of file descriptors.
    public init(
        running program: consuming sending Program, faults: FaultSwitches? = nil,
        battery: BatteryControl? = BatteryControl()
    ) throws(DeviceModelError) {
        let surface = program.surface
        guard case .virtual(let clock) = surface.clock else {
            preconditionFailure("a watch on the real clock is a SimulatedWatch")
        }
        self.clock = clock
        self.faults = faults
        self.battery = battery
        inputs = surface.inputs
        calendar = surface.calendarControl
        mailbox = try SnapshotMailbox()
        engine = Mutex(WatchEngine(program, mailbox: mailbox))
        engine.withLock { $0.start() }
    }

    /// The time since the watch started.
    public var now: Instant { clock.now }

    /// The newest snapshot.
    public var snapshot: WatchSnapshot { mailbox.snapshot }

    /// A descriptor that becomes readable when there is a newer snapshot.
    public var changes: EventDescriptor { mailbox.changes }

    /// Records the watch's panel.
    public var recorder: PanelRecorder? { mailbox.recorder }

    /// The number of the newest input that a caller sent.
    public var sent: InputNumber { inputs.posted }

    /// Sends the watch an input for `time`, or for now if `time` has passed. The watch handles it during the next wait.
    @discardableResult public func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let input = TimedInput(input, at: max(clock.now, time))
        mailbox.recorder.enter(input)
        return inputs.post(input)
    }

    /// Sends the watch inputs in this order at `time`.
    public func send(_ inputs: [Input], at time: Instant) {
        send(inputs, touchedAt: time, seenAt: time)
    }

    /// Sends the watch inputs in this order. The fingers touch at `time`, but the program sees the inputs only at `later`, as if
    /// it was busy or asleep.
    public func send(_ inputs: [Input], touchedAt time: Instant, seenAt later: Instant) {
        let queue = self.inputs
        for input in inputs { clock.schedule(at: later) { queue.post(TimedInput(input, at: time)) } }
    }

    /// Runs the watch until a snapshot satisfies `condition`, its clock reaches `deadline`, or it stops.
    public func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        engine.withLock { engine in
            var progress = ProgressGuard()
            while true {
                if condition(engine.latest) { return .met(engine.latest) }
                switch engine.phase {
                case .stopped, .failed: return .stopped(engine.latest)
                case .running: break
                }
                switch engine.step() {
                case .again: break
                case .idle(let wakeUp):
                    if condition(engine.latest) { return .met(engine.latest) }
                    guard clock.now < deadline else { return .timedOut(engine.latest) }
                    engine.program.surface.idle(until: min(wakeUp ?? deadline, deadline))
                }
                progress.check(clock.now)
            }
        }
    }

    /// Whether the watch's program can be restarted in place.
    public var canRestart: Bool { Program.canRestart }

    /// Runs the watch until it is at rest, then performs the request.
    @discardableResult public func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        try engine.withLock { engine throws(RestartError) in
            var progress = ProgressGuard()
            while true {
                switch engine.phase {
                case .stopped, .failed: throw .ended
                case .running: break
                }
                switch engine.step() {
                case .again: progress.check(clock.now)
                case .idle: return try engine.perform(request)
                }
            }
        }
    }

    /// The board's output until now. A snapshot's output can be older: it is from the last visible change.
    public var output: BoardOutput {
        engine.withLock { $0.program.surface.output }
    }

    /// Reads the program's state between two of its steps.
    package func lookInside<Answer: Sendable>(_ question: @Sendable (borrowing Program) -> Answer) -> Answer {
        engine.withLock { question($0.program) }
    }

    /// Stops the watch.
    public func stop() {
        engine.withLock { engine in
            switch mailbox.snapshot.phase {
            case .running: engine.finish()
            case .stopped, .failed: break
            }
        }
    }
}

/// Traps if a program never comes to rest. Otherwise a test with that program would hang.
private struct ProgressGuard {
    private var time: Instant?
    private var steps = 0

    /// Counts a step that ended at `now`. Traps if a million steps end at the same time.
    mutating func check(_ now: Instant) {
        steps = now == time ? steps + 1 : 0
        time = now
        precondition(steps < 1_000_000, "the watch never comes to rest at \(now.microseconds) us")
    }
}
