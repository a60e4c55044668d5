import HostSystem
import Synchronization
import Watch
import WatchLink

/// A watch on this machine's clock: its program runs on a thread of its own.
///
/// The program and the hardware under it live wholly on that thread. Inputs go in through the surface's queue,
/// snapshots come out through a mailbox, and nothing else is shared.
public final class SimulatedWatch: WatchDevice {
    /// The thread's stack: 1 MiB. The runtime needs less than 24 KB; the rest is for the host's side of the board,
    /// decoding and libraries.
    public static let stackSize = 1_048_576

    private let request: StopRequest
    private let mailbox: SnapshotMailbox
    private let inputs: InputQueue
    private let clock: HostClock
    private let thread: SystemThread
    private let desk = RestartMailbox()
    /// Whether its program can be restarted in place.
    public let restarts: RestartSupport
    /// The way to the speed of its time, and to pausing it, where there is one.
    public let control: ClockControl?
    /// The way to its wall clock, where there is one.
    public let calendar: CalendarControl?
    /// The way to what is wrong with it, where there is one.
    public let faults: FaultSwitches?
    /// The way to the gauge of its battery, where there is one.
    public let battery: BatteryControl?

    /// Starts `program`, whose surface has the real clock, and returns when the first frame is there.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - faults: what is wrong with the board and the radio link under it, for whoever wants to change that.
    ///   - battery: the gauge of its battery, for whoever wants to change that.
    /// - Throws: `.systemCall` when there is no room for a thread or a descriptor.
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
        let request = StopRequest()
        let engine = EngineBox(WatchEngine(program, mailbox: mailbox))
        self.clock = clock
        self.inputs = inputs
        self.mailbox = mailbox
        self.request = request
        self.faults = faults
        self.control = control
        self.calendar = calendar
        self.battery = battery
        restarts = Program.restarts
        let desk = desk
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
                engine.contents.withLock { SimulatedWatch.run(&$0, until: request, serving: desk) }
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

    /// The way to a recording of its panel.
    public var recorder: PanelRecorder? { mailbox.recorder }

    /// The number of the newest input that was sent.
    public var sent: InputNumber { inputs.posted }

    /// Gives the watch an input of the wearer's at `time`, or now where that is over.
    @discardableResult public func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let input = TimedInput(input, at: max(clock.now, time))
        mailbox.recorder.enter(input)
        return inputs.post(input)
    }

    /// Waits until `condition` holds, `deadline` passes or the watch is stopped.
    public func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        mailbox.wait(until: deadline, on: clock, for: condition)
    }

    /// Waits until `condition` holds, for so long on the watch's clock and on this machine's, or until the watch is
    /// stopped.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        mailbox.wait(until: clock.now + length, atLeast: length, on: clock, for: condition)
    }

    /// Asks the watch's thread for it, and waits. A paused watch goes on meanwhile.
    @discardableResult public func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        guard restarts == .possible else { throw .impossible }
        let wasPaused = isPaused
        if wasPaused { control?.resume() }
        defer { if wasPaused { control?.pause() } }
        return try desk.ask(request) { inputs.arrival.signal() }
    }

    /// Stops the watch and returns when its thread has ended.
    public func stop() {
        request.stop()
        control?.end()
        inputs.arrival.signal()
        thread.join()
    }

    private static func run<Program: WatchProgram & ~Copyable>(
        _ engine: inout WatchEngine<Program>, until request: StopRequest, serving desk: RestartMailbox
    ) {
        engine.start()
        while !request.isMade, engine.phase == .running {
            switch engine.step() {
            case .again: break
            case .idle(let deadline):
                guard let asked = desk.request else {
                    engine.idle(until: deadline)
                    break
                }
                desk.answer(asked, Result { () throws(RestartError) in try engine.perform(asked) })
            }
        }
        engine.finish()
        desk.close()
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
private final class StopRequest: Sendable {
    private enum State {
        case running
        case stopping
    }

    private let state = Mutex(State.running)

    var isMade: Bool {
        state.withLock { state in
            switch state {
            case .running: false
            case .stopping: true
            }
        }
    }

    func stop() {
        state.withLock { $0 = .stopping }
    }
}
