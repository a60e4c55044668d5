import HostSystem
import Synchronization
import Watch
import WatchLink

/// A watch on this machine's clock: its program runs on a thread of its own.
///
/// Only that thread uses the program and the hardware. Inputs go in through the surface's queue, snapshots come out, and nothing
/// else is shared.
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
    /// The speed and the pause of its time.
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
    ///   - program: the watch's program.
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
        // A thread that waits for a time of the watch computes the length of its wait again.
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

    /// The time since the watch started, for its wearer. On a slow machine the watch itself is behind.
    public var now: Instant { clock.outside }

    /// The newest snapshot.
    public var snapshot: WatchSnapshot { mailbox.snapshot }

    /// Readable when there is a newer snapshot.
    public var changes: EventDescriptor { mailbox.changes }

    /// Records its panel.
    public var recorder: PanelRecorder? { mailbox.recorder }

    /// The number of the newest input that was sent.
    public var sent: InputNumber { inputs.posted }

    /// Gives the watch an input at `time`, or now if `time` has passed.
    @discardableResult public func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let input = TimedInput(input, at: max(clock.outside, time))
        mailbox.recorder.enter(input)
        return inputs.post(input)
    }

    /// Waits until `condition` holds, `deadline` passes or the watch is stopped.
    public func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        mailbox.wait(until: deadline, on: clock, for: condition)
    }

    /// Waits until `condition` holds or the watch is stopped. It gives up when `length` has passed both on the watch's clock
    /// and on this machine's.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        mailbox.wait(until: clock.outside + length, atLeast: length, on: clock, for: condition)
    }

    /// Asks the watch's thread, and waits. A paused watch runs during the wait.
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
                    engine.idle(until: deadline)
                    break
                }
                requests.answer(asked, Result { () throws(RestartError) in try engine.perform(asked) })
            }
        }
        engine.finish()
        requests.close()
    }
}

/// Holds the engine. The watch's thread has the lock from its first step to its last.
private final class EngineBox<Program: WatchProgram & ~Copyable>: Sendable {
    let contents: Mutex<WatchEngine<Program>>

    init(_ engine: consuming sending WatchEngine<Program>) {
        contents = Mutex(engine)
    }
}

/// Runs a watch's program step by step. Publishes a snapshot whenever something visible has changed.
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
            // The failed program is in the middle of a step. A request for its screen would continue the machine code from there.
            publish(latest.description, handled: latest.handled)
            return next
        }
        switch next {
        case .again:
            let output = program.surface.output
            let isVisible =
                output.screenChanges != latest.output.screenChanges || output.linesWritten != latest.output.linesWritten
            if isVisible { publish(program.describe(), handled: latest.handled, isAtRest: false) }
        case .idle:
            // The program has finished all immediate consequences of the inputs taken so far.
            let handled = program.surface.handled
            let screen = program.describe()
            if handled != latest.handled || program.surface.output.revision != latest.output.revision
                || screen != latest.description || program.isPanelCurrent != latest.isPanelCurrent
            {
                publish(screen, handled: handled)
            }
        }
        return next
    }

    /// Waits on the real clock. Tells waiting threads until when nothing happens on the watch.
    mutating func idle(until deadline: Instant?) {
        mailbox.rest(until: deadline ?? Instant(microseconds: .max))
        program.surface.idle(until: deadline)
        mailbox.rest(until: program.surface.clock.now)
    }

    /// Performs a request on a program at rest. Publishes the first frame after a restart.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let image = try program.perform(request)
        publish(handled: program.surface.handled)
        return image
    }

    var phase: WatchSnapshot.Phase { latest.phase }

    /// Publishes the last snapshot. After a failure it is published already.
    mutating func finish() {
        switch latest.phase {
        case .failed: return
        case .running, .stopped: break
        }
        latest.phase = .stopped
        publish(handled: latest.handled)
    }

    private mutating func publish(handled: InputNumber) {
        publish(program.describe(), handled: handled)
    }

    /// - Parameter isAtRest: whether the program waits, and has nothing left to send to the panel.
    private mutating func publish(_ screen: ScreenDescription, handled: InputNumber, isAtRest: Bool = true) {
        latest.description = screen
        latest.isPanelCurrent = program.isPanelCurrent && (isAtRest || !program.surface.output.wasPartOfScreen)
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

/// Carries snapshots from the watch's thread to its observers.
final class SnapshotMailbox: Sendable {
    private struct Contents {
        var snapshot = WatchSnapshot()
        /// Nothing happens on the watch before this time, unless an input or a datagram comes.
        var restsUntil = Instant.start
    }

    private let contents = WaitableState(Contents())
    let changes: EventDescriptor
    let recorder = PanelRecorder()

    init() throws(DeviceModelError) {
        changes = try .make()
    }

    var snapshot: WatchSnapshot { contents.read(\.snapshot) }

    func publish(_ snapshot: WatchSnapshot) {
        recorder.show(snapshot.frame, at: snapshot.time)
        contents.change { $0.snapshot = snapshot }
        changes.signal()
    }

    func rest(until time: Instant) { contents.change { $0.restsUntil = time } }

    /// Wakes every waiting thread, because the speed of the watch's time has changed.
    func nudge() {
        contents.change { _ in }
        changes.signal()
    }

    /// Waits for a snapshot for which `condition` holds. `deadline` is on `clock`, `least` on this machine's clock. If the watch
    /// is behind, waits until it has caught up.
    func wait(
        until deadline: Instant, atLeast least: Microseconds = .zero, on clock: HostClock,
        for condition: (WatchSnapshot) -> Bool
    ) -> WaitOutcome {
        let end = Instant(microseconds: ClockControl.machineTime) + least
        return contents.block { contents in
            let snapshot = contents.snapshot
            if condition(snapshot) { return .finish(.met(snapshot)) }
            switch snapshot.phase {
            case .stopped, .failed: return .finish(.stopped(snapshot))
            case .running: break
            }
            let rest = end - Instant(microseconds: ClockControl.machineTime)
            if clock.outside < deadline || rest > .zero {
                // A change of the watch's speed wakes this thread, which then computes the length again.
                return .wait(
                    microseconds: max(clock.control.machineLength(until: deadline)?.count ?? .max, rest.count))
            }
            let isBehind = contents.restsUntil < deadline && clock.now < deadline
            return isBehind ? .wait(microseconds: nil) : .finish(.timedOut(snapshot))
        }
    }
}

/// The watch's runtime and its memory, as a program for `SimulatedWatch` and `VirtualWatch`.
public struct RuntimeProgram<Flash: NORFlash & ~Copyable, Handler: TapHandler>: WatchProgram, ~Copyable {
    /// The simulated board, which is also the host's interface to the watch.
    public let surface: SimulatedBoard<Flash>
    var runtime: WatchRuntime<SimulatedBoard<Flash>, Handler>
    private let memory: ProgramMemory
    private let rows: DescribedRows
    private let handler: Handler
    /// Randomness for the starts after the first.
    private var seeds: SplitMix64

    private enum LastDescription {
        case outdated
        /// Valid while the calendar shows this time and no step changes anything.
        case current(ScreenDescription, at: LocalTime?)
    }

    private var last = LastDescription.outdated

    /// - Parameters:
    ///   - board: the board that the runtime runs on.
    ///   - handler: the handler of taps.
    ///   - seed: randomness for the identity of a watch whose flash holds none.
    ///   - rows: the rows that snapshots describe. A description of all 128 rows of a long list takes a third of the time to
    ///     simulate a tap.
    public init(on board: SimulatedBoard<Flash>, handler: Handler, seed: UInt64, describing rows: DescribedRows = .all)
    {
        surface = board
        self.rows = rows
        self.handler = handler
        seeds = SplitMix64(seed: seed)
        memory = ProgramMemory(byteCount: WatchRuntime<SimulatedBoard<Flash>, Handler>.memorySize)
        runtime = WatchRuntime(board: board, handler: handler, memory: memory.bytes, seed: seed)
    }

    /// Reads the journal and draws the first frame.
    public mutating func start() {
        runtime.start()
    }

    /// Yes: its board can lose its power.
    public static var canRestart: Bool { true }

    /// Performs a request on the board. Unless it only reads, the runtime restarts with empty memory and the new flash.
    public mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let image = try surface.perform(request)
        switch request {
        case .read: return image
        case .restart, .reset, .load: break
        }
        last = .outdated
        memory.clear()
        runtime = WatchRuntime(board: surface, handler: handler, memory: memory.bytes, seed: seeds.next())
        runtime.start()
        return image
    }

    /// Whether the panel shows the rows of the list; see `WatchRuntime.isPanelCurrent`.
    public var isPanelCurrent: Bool { runtime.isPanelCurrent }

    /// Does the most urgent task.
    public mutating func step() -> NextStep {
        let next = runtime.step()
        switch next {
        case .again: last = .outdated
        case .idle: break
        }
        return next
    }

    /// The content of the screen.
    public mutating func describe() -> ScreenDescription {
        // A step that does nothing changes at most the time, which the screen shows to the second.
        let time = surface.calendar
        if case .current(let screen, at: time) = last { return screen }
        let screen = ScreenDescription(&runtime, rows)
        last = .current(screen, at: time)
        return screen
    }
}

/// The memory of a program. It is a class, because the optimiser omits the `deinit` of a generic noncopyable structure (Swift
/// 6.3).
private final class ProgramMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
        bytes = .allocate(byteCount: byteCount, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    func clear() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }

    deinit { bytes.deallocate() }
}
