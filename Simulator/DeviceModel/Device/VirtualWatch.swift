import HostSystem
import Synchronization
import Watch
import WatchLink

/// A watch on a virtual clock. It runs only during calls of `wait` and `restart`, on the caller's thread, as fast as this
/// machine can. The same inputs and calls always give the same snapshots, byte for byte.
public final class VirtualWatch<Program: WatchProgram & ~Copyable>: WatchDevice {
    /// The parts of the watch that its callers and its program share.
    public let access: WatchAccess
    /// The virtual clock. Callers can schedule events on it, such as a change on the phone.
    public let clock: VirtualClock

    private let engine: Mutex<WatchEngine<Program>>

    /// Starts `program`, and returns when the program has drawn its first frame. Traps if the clock of the program's surface is
    /// not virtual.
    ///
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
        let mailbox = try SnapshotMailbox()
        access = WatchAccess(
            mailbox: mailbox, inputs: surface.inputs, calendar: surface.calendarControl, faults: faults,
            battery: battery)
        engine = Mutex(WatchEngine(program, mailbox: mailbox))
        engine.withLock { $0.start() }
    }

    /// The time since the watch started.
    public var now: Instant { clock.now }

    /// Sends `inputs` to the watch, in this order, at `time` on the watch's clock.
    public func send(_ inputs: [Input], at time: Instant) {
        send(inputs, touchedAt: time, seenAt: time)
    }

    /// Sends `inputs` to the watch, in this order. The wearer acts at `time`, but the program sees the inputs only at `later`,
    /// as if the program were busy or asleep until then.
    public func send(_ inputs: [Input], touchedAt time: Instant, seenAt later: Instant) {
        let queue = access.inputs
        for input in inputs { clock.schedule(at: later) { queue.post(TimedInput(input, at: time)) } }
    }

    /// Runs the watch until a snapshot satisfies `condition`, the watch's clock reaches `deadline`, or the watch stops.
    public func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        engine.withLock { engine in
            var progress = ProgressGuard()
            while true {
                if condition(engine.latest) { return .met(engine.latest) }
                guard engine.phase == .running else { return .stopped(engine.latest) }
                if case .idle(let wakeUp) = engine.step() {
                    if condition(engine.latest) { return .met(engine.latest) }
                    guard clock.now < deadline else { return .timedOut(engine.latest) }
                    engine.program.surface.idle(until: min(wakeUp ?? deadline, deadline))
                }
                progress.check(clock.now)
            }
        }
    }

    /// Runs the watch until its program has nothing to do, then performs the request.
    @discardableResult public func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        try engine.withLock { engine throws(RestartError) in
            var progress = ProgressGuard()
            while true {
                guard engine.phase == .running else { throw .ended }
                switch engine.step() {
                case .again: progress.check(clock.now)
                case .idle: return try engine.perform(request)
                }
            }
        }
    }

    /// The board's output until now. The output in `snapshot` can be older, because the watch makes a snapshot only after a
    /// visible change.
    public var output: BoardOutput {
        engine.withLock { $0.program.surface.output }
    }

    package func inspect<Answer: Sendable>(_ question: @Sendable (borrowing Program) -> Answer) -> Answer {
        engine.withLock { question($0.program) }
    }

    /// Stops the watch.
    public func stop() {
        engine.withLock { engine in
            if snapshot.phase == .running { engine.finish() }
        }
    }
}

/// Traps if a program takes a million steps while the clock stands still. Without this trap, a test of such a program would
/// hang.
private struct ProgressGuard {
    private var time: Instant?
    private var steps = 0

    mutating func check(_ now: Instant) {
        steps = now == time ? steps + 1 : 0
        time = now
        precondition(steps < 1_000_000, "the watch never comes to rest at \(now.microseconds) us")
    }
}
