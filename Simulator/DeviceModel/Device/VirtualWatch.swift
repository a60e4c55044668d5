import HostSystem
import Synchronization
import Watch
import WatchLink

/// A watch on a virtual clock. It runs during a wait, on the waiting thread, as fast as that thread can compute. The same inputs
/// and waits give the same snapshots, to the byte.
public final class VirtualWatch<Program: WatchProgram & ~Copyable>: WatchDevice {
    /// Its wall clock.
    public let calendar: CalendarControl?
    /// The gauge of its battery.
    public let battery: BatteryControl?
    /// Its faults.
    public let faults: FaultSwitches?
    /// The clock, for scheduled events such as changes on the phone or inputs at a given time.
    public let clock: VirtualClock

    private let engine: Mutex<WatchEngine<Program>>
    private let mailbox: SnapshotMailbox
    private let inputs: InputQueue

    /// Starts `program`, whose surface has a virtual clock. Returns when the first frame is there.
    ///
    /// - Parameters:
    ///   - program: the watch's program.
    ///   - faults: the faults of the board and the radio link under it.
    ///   - battery: the gauge of its battery.
    /// - Throws: `.systemCall` if there are no descriptors left.
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

    /// Readable when there is a newer snapshot.
    public var changes: EventDescriptor { mailbox.changes }

    /// Records its panel.
    public var recorder: PanelRecorder? { mailbox.recorder }

    /// The number of the newest input that was sent.
    public var sent: InputNumber { inputs.posted }

    /// Gives the watch an input at `time`, or now if `time` has passed. The watch handles it during a wait.
    @discardableResult public func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let input = TimedInput(input, at: max(clock.now, time))
        mailbox.recorder.enter(input)
        return inputs.post(input)
    }

    /// Gives the watch inputs at `time`, in their order. They count as sent at that time.
    public func send(_ inputs: [Input], at time: Instant) {
        send(inputs, touchedAt: time, seenAt: time)
    }

    /// Gives the watch inputs of `time` that the program sees later, in order, because it was busy or asleep.
    public func send(_ inputs: [Input], touchedAt time: Instant, seenAt later: Instant) {
        let queue = self.inputs
        for input in inputs { clock.schedule(at: later) { queue.post(TimedInput(input, at: time)) } }
    }

    /// Runs the watch until `condition` holds, its clock reaches `deadline` or it is stopped.
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

    /// Whether its program can be restarted in place.
    public var canRestart: Bool { Program.canRestart }

    /// Runs the watch until it is at rest, and performs the request.
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

    /// The board's output until now. A snapshot is older: it is of the last visible change.
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

/// Traps on a program that never comes to rest, which would make a test hang.
private struct ProgressGuard {
    private var time: Instant?
    private var steps = 0

    /// Counts a step that ended at `now`. Traps after a million steps without a change of the time.
    mutating func check(_ now: Instant) {
        steps = now == time ? steps + 1 : 0
        time = now
        precondition(steps < 1_000_000, "the watch never comes to rest at \(now.microseconds) us")
    }
}
