import HostSystem
import Synchronization
import Watch
import WatchLink

/// A watch on this machine's clock: its program runs on a thread of its own.
///
/// Program and hardware belong to that thread. Inputs go in through the surface's queue, snapshots come out, and
/// nothing else is shared.
public final class SimulatedWatch: WatchDevice {
    /// 1 MiB. The runtime needs less than 24 KB; the rest is for the host's side of the board, decoding and libraries.
    public static let stackSize = 1_048_576

    private let mailbox: SnapshotMailbox
    private let inputs: InputQueue
    private let clock: HostClock
    private let thread: SystemThread
    private let requests = RestartMailbox()
    /// Whether its program can be restarted in place.
    public let canRestart: Bool
    /// The speed of its time, and its pause.
    public let control: ClockControl?
    /// Its wall clock.
    public let calendar: CalendarControl?
    /// Its faults.
    public let faults: FaultSwitches?
    /// The gauge of its battery.
    public let battery: BatteryControl?

    /// Starts `program`, whose surface has the real clock. Returns when the first frame is there.
    ///
    /// - Parameters:
    ///   - faults: the faults of the board and the radio link under it.
    ///   - battery: the gauge of its battery.
    /// - Throws: `.systemCall` if there is no room for a thread or a descriptor.
    public init<Program: WatchProgram & ~Copyable>(
        running program: consuming sending Program, faults: FaultSwitches? = nil, battery: BatteryControl? = nil
    ) throws(DeviceModelError) {
        let surface = program.surface
        guard case .real(let clock) = surface.clock else {
            preconditionFailure("a watch on a virtual clock is a VirtualWatch")
        }
        let inputs = surface.inputs
        let control = surface.control
        let calendar = surface.calendarControl
        let mailbox = try SnapshotMailbox()
        let engine = EngineBox(WatchEngine(program, mailbox: mailbox))
        self.clock = clock
        self.inputs = inputs
        self.mailbox = mailbox
        self.faults = faults
        self.control = control
        self.calendar = calendar
        self.battery = battery
        canRestart = Program.canRestart
        let requests = requests
        // Whoever waits for a time of the watch's has to look again at how long that is.
        let look: @Sendable () -> Void = {
            inputs.arrival.signal()
            mailbox.nudge()
        }
        control?.observe(look)
        faults?.observe(look)
        calendar?.observe(look)
        battery?.observe(look)
        do throws(HostSystemError) {
            thread = try SystemThread(stackSize: SimulatedWatch.stackSize) {
                engine.contents.withLock { SimulatedWatch.run(&$0, serving: requests) }
            }
        } catch {
            throw DeviceModelError(error)
        }
        _ = mailbox.wait(until: Instant(microseconds: .max), on: clock) { $0.number > 0 }
    }

    deinit {
        stop()
    }

    /// The time since the watch started.
    public var now: Instant { clock.now }

    /// What the watch is like at the moment.
    public var snapshot: WatchSnapshot { mailbox.snapshot }

    /// Readable when there is a newer snapshot.
    public var changes: EventDescriptor { mailbox.changes }

    /// Records its panel.
    public var recorder: PanelRecorder? { mailbox.recorder }

    /// The number of the newest input that was sent.
    public var sent: InputNumber { inputs.posted }

    /// Gives the watch an input at `time`, or now if that is over.
    @discardableResult public func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let input = TimedInput(input, at: max(clock.now, time))
        mailbox.recorder.enter(input)
        return inputs.post(input)
    }

    /// Waits until `condition` holds, `deadline` passes or the watch is stopped.
    public func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        mailbox.wait(until: deadline, on: clock, for: condition)
    }

    /// Waits until `condition` holds, for this long on the watch's clock and on this machine's, or until the watch is
    /// stopped.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        mailbox.wait(until: clock.now + length, atLeast: length, on: clock, for: condition)
    }

    /// Asks the watch's thread, and waits. A paused watch runs meanwhile.
    @discardableResult public func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        guard canRestart else { throw .impossible }
        let wasPaused = isPaused
        if wasPaused { control?.resume() }
        defer { if wasPaused { control?.pause() } }
        return try requests.ask(request) { inputs.arrival.signal() }
    }

    /// Stops the watch and returns when its thread has ended.
    public func stop() {
        requests.stop()
        control?.end()
        inputs.arrival.signal()
        thread.join()
    }

    private static func run<Program: WatchProgram & ~Copyable>(
        _ engine: inout WatchEngine<Program>, serving requests: RestartMailbox
    ) {
        engine.start()
        while !requests.isStopping, engine.phase == .running {
            switch engine.step() {
            case .again: break
            case .idle(let deadline):
                guard let asked = requests.request else {
                    engine.program.surface.idle(until: deadline)
                    break
                }
                requests.answer(asked, Result { () throws(RestartError) in try engine.perform(asked) })
            }
        }
        engine.finish()
        requests.close()
    }
}

/// Holds the engine for the thread that runs it; the lock is that thread's from its first step to its last.
private final class EngineBox<Program: WatchProgram & ~Copyable>: Sendable {
    let contents: Mutex<WatchEngine<Program>>

    init(_ engine: consuming sending WatchEngine<Program>) {
        contents = Mutex(engine)
    }
}

/// Whether a watch is to stop.
