import HostSystem
import Synchronization
import Watch
import WatchLink

/// A watch on this machine's clock. Its program runs on a thread of its own.
///
/// Only that thread uses the program and the hardware. Other threads put inputs into the surface's queue and receive snapshots.
public final class SimulatedWatch: WatchDevice {
    /// Size of the watch's thread's stack: 1 MiB. The runtime uses less than 24 KB of it. The rest is for the simulated board,
    /// decoding and libraries.
    public static let stackSize = 1_048_576

    private let mailbox: SnapshotMailbox
    private let inputs: InputQueue
    private let clock: HostClock
    private let thread: SystemThread
    private let requests = RestartMailbox()
    /// Whether the watch's program can be restarted in place.
    public let canRestart: Bool
    /// Controls the speed of the watch's clock, and pauses it.
    public let control: ClockControl?
    /// Controls the watch's wall clock.
    public let calendar: CalendarControl?
    /// Controls the watch's faults.
    public let faults: FaultSwitches?
    /// Controls the battery's charge.
    public let battery: BatteryControl?

    /// Starts `program`. Returns when the program has drawn its first frame.
    ///
    /// - Parameters:
    ///   - program: the watch's program. Its surface must use the real clock.
    ///   - faults: the faults of the board and the radio link.
    ///   - battery: controls the battery's charge.
    /// - Throws: `.systemCall` if a thread or a file descriptor cannot be created.
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
        // Wakes threads that wait for a time on the watch's clock, because the length of their wait may have changed.
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

    /// The time since the watch started, as the wearer experiences it. On a slow machine, the watch itself is behind this time.
    public var now: Instant { clock.outside }

    /// The newest snapshot.
    public var snapshot: WatchSnapshot { mailbox.snapshot }

    /// A descriptor that becomes readable when there is a newer snapshot.
    public var changes: EventDescriptor { mailbox.changes }

    /// Records the watch's panel.
    public var recorder: PanelRecorder? { mailbox.recorder }

    /// The number of the newest input that a caller sent.
    public var sent: InputNumber { inputs.posted }

    /// Sends the watch an input for `time`, or for now if `time` has passed.
    @discardableResult public func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let input = TimedInput(input, at: max(clock.outside, time))
        mailbox.recorder.enter(input)
        return inputs.post(input)
    }

    /// Waits until a snapshot satisfies `condition`, the watch's clock reaches `deadline`, or the watch stops.
    public func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        mailbox.wait(until: deadline, on: clock, for: condition)
    }

    /// Waits until a snapshot satisfies `condition` or the watch stops. Gives up when `length` has passed both on the watch's
    /// clock and on this machine's.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        mailbox.wait(until: clock.outside + length, atLeast: length, on: clock, for: condition)
    }

    /// Asks the watch's thread to perform the request, and waits for the answer. A paused watch runs during the wait.
    @discardableResult public func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        guard canRestart else { throw .impossible }
        let wasPaused = isPaused
        if wasPaused { control?.resume() }
        defer { if wasPaused { control?.pause() } }
        return try requests.ask(request) { inputs.arrival.signal() }
    }

    /// Stops the watch. Returns when its thread has ended.
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

/// Holds the engine. The watch's thread keeps the lock from its first step to its last.
private final class EngineBox<Program: WatchProgram & ~Copyable>: Sendable {
    let contents: Mutex<WatchEngine<Program>>

    init(_ engine: consuming sending WatchEngine<Program>) {
        contents = Mutex(engine)
    }
}

/// Runs a watch's program step by step. Publishes a snapshot after each visible change.
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
            // The failed program is in the middle of a step. Asking it for its screen would continue the machine code from there.
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
            // At this point, the program has finished all immediate effects of the inputs that it has taken.
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

    /// Waits on the real clock for an event or until `deadline`. Tells the observers that nothing changes on the watch before
    /// `deadline`.
    mutating func idle(until deadline: Instant?) {
        mailbox.rest(until: deadline ?? Instant(microseconds: .max))
        program.surface.idle(until: deadline)
        mailbox.rest(until: program.surface.clock.now)
    }

    /// Performs a request on a program at rest. After a restart, publishes the first frame.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let image = try program.perform(request)
        publish(handled: program.surface.handled)
        return image
    }

    var phase: WatchSnapshot.Phase { latest.phase }

    /// Publishes the last snapshot, unless a failure has already published it.
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

    /// - Parameter isAtRest: whether the program waits and has nothing left to send to the panel.
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
        /// Nothing changes on the watch before this time, unless an input or a datagram arrives.
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

    /// Wakes every waiting thread, because the speed of the watch's clock has changed.
    func nudge() {
        contents.change { _ in }
        changes.signal()
    }

    /// Waits for a snapshot that satisfies `condition`. Gives up at `deadline` on `clock`, but not before `least` has passed on
    /// this machine's clock. If the watch is behind `clock`, waits until the watch has caught up.
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
                // If the watch's speed changes, this thread wakes and computes the length of its wait again.
                return .wait(
                    microseconds: max(clock.control.machineLength(until: deadline)?.count ?? .max, rest.count))
            }
            let isBehind = contents.restsUntil < deadline && clock.now < deadline
            return isBehind ? .wait(microseconds: nil) : .finish(.timedOut(snapshot))
        }
    }
}

/// The watch's runtime with its memory: the program that `SimulatedWatch` and `VirtualWatch` run.
public struct RuntimeProgram<Flash: NORFlash & ~Copyable, Handler: TapHandler>: WatchProgram, ~Copyable {
    /// The simulated board. The simulator also uses it as its interface to the watch.
    public let surface: SimulatedBoard<Flash>
    var runtime: WatchRuntime<SimulatedBoard<Flash>, Handler>
    private let memory: ProgramMemory
    private let rows: DescribedRows
    private let handler: Handler
    /// Seeds for the starts after the first.
    private var seeds: SplitMix64

    private enum LastDescription {
        case outdated
        /// A description that is valid until a step runs or the calendar shows another time.
        case current(ScreenDescription, at: LocalTime?)
    }

    private var last = LastDescription.outdated

    /// - Parameters:
    ///   - board: the board on which the runtime runs.
    ///   - handler: the code that runs when the wearer taps a row.
    ///   - seed: seeds the identity of a watch if its flash holds none.
    ///   - rows: the rows that snapshots describe. Describing all 128 rows of a long list takes a third of this machine's time
    ///     for a tap.
    public init(on board: SimulatedBoard<Flash>, handler: Handler, seed: UInt64, describing rows: DescribedRows = .all)
    {
        surface = board
        self.rows = rows
        self.handler = handler
        seeds = SplitMix64(seed: seed)
        memory = ProgramMemory(byteCount: WatchRuntime<SimulatedBoard<Flash>, Handler>.memorySize)
        runtime = WatchRuntime(board: board, handler: handler, memory: memory.bytes, seed: seed)
    }

    /// Reads the journal, the watch's log in flash, and draws the first frame.
    public mutating func start() {
        runtime.start()
    }

    /// True: the board can lose its power.
    public static var canRestart: Bool { true }

    /// Performs a request on the board. Unless the request is `.read`, the runtime restarts with empty memory.
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

    /// Whether the panel shows the list's current rows; see `WatchRuntime.isPanelCurrent`.
    public var isPanelCurrent: Bool { runtime.isPanelCurrent }

    /// Performs the most urgent task of the runtime.
    public mutating func step() -> NextStep {
        let next = runtime.step()
        switch next {
        case .again: last = .outdated
        case .idle: break
        }
        return next
    }

    /// Describes the content of the screen.
    public mutating func describe() -> ScreenDescription {
        // If no step has run, only the time on the screen can have changed. It is compared to the second.
        let time = surface.calendar
        if case .current(let screen, at: time) = last { return screen }
        let screen = ScreenDescription(&runtime, rows)
        last = .current(screen, at: time)
        return screen
    }
}

/// The memory of a program. It is a class because the optimiser of Swift 6.3 omits the `deinit` of a generic noncopyable
/// structure.
private final class ProgramMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
        bytes = .allocate(byteCount: byteCount, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    func clear() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }

    deinit { bytes.deallocate() }
}
