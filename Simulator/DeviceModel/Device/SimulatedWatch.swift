import HostSystem
import Synchronization
import Watch
import WatchLink

/// A watch on this machine's clock. It runs its program on a thread of its own.
///
/// Only that thread uses the program and the simulated hardware. Other threads send inputs through a queue and receive
/// snapshots.
public final class SimulatedWatch: WatchDevice {
    /// The stack size of the watch's thread, in bytes: 1 MiB. The runtime uses less than 24 KB of the stack. The rest is for
    /// the simulated board, decoding and libraries.
    public static let stackSize = 1_048_576

    /// The parts of the watch that its callers and its thread share.
    public let access: WatchAccess
    private let clock: HostClock
    private let thread: SystemThread
    private let requests = RestartMailbox()

    /// Starts `program` on a new thread. Returns when the program has drawn its first frame. Traps if the clock of the
    /// program's surface is virtual.
    ///
    /// - Throws: `.systemCall` if a thread or a file descriptor cannot be created.
    public init<Program: WatchProgram & ~Copyable>(
        running program: consuming sending Program, faults: FaultSwitches? = nil, battery: BatteryControl? = nil
    ) throws(DeviceModelError) {
        let surface = program.surface
        guard case .real(let clock) = surface.clock else {
            preconditionFailure("a watch on a virtual clock is a VirtualWatch")
        }
        let mailbox = try SnapshotMailbox()
        let access = WatchAccess(
            mailbox: mailbox, inputs: surface.inputs, control: surface.control, calendar: surface.calendarControl,
            faults: faults, battery: battery)
        let engine = EngineBox(WatchEngine(program, mailbox: mailbox))
        self.clock = clock
        self.access = access
        let requests = requests
        // Wakes threads that wait for a time on the watch's clock, because the length of their wait may have changed.
        let wakeAll: @Sendable () -> Void = {
            access.inputs.arrival.signal()
            mailbox.nudge()
        }
        access.control?.observe(wakeAll)
        access.calendar?.observe(wakeAll)
        faults?.observe(wakeAll)
        battery?.observe(wakeAll)
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

    /// The time since the watch started, as the wearer experiences it. On a slow machine, the board's time is behind this time.
    public var now: Instant { clock.outside }

    /// Waits until a snapshot satisfies `condition`, the watch's clock reaches `deadline`, or the watch stops.
    public func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        access.mailbox.wait(until: deadline, on: clock, for: condition)
    }

    /// Waits until a snapshot satisfies `condition` or the watch stops. Gives up when `length` has passed both on the watch's
    /// clock and on this machine's.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        access.mailbox.wait(until: clock.outside + length, atLeast: length, on: clock, for: condition)
    }

    /// Asks the watch's thread to perform the request, and waits at most 30 s for the answer. A paused watch runs during the
    /// wait.
    @discardableResult public func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let wasPaused = isPaused
        if wasPaused { control?.resume() }
        defer { if wasPaused { control?.pause() } }
        return try requests.ask(request) { access.inputs.arrival.signal() }
    }

    /// Stops the watch. Returns when its thread has ended.
    public func stop() {
        requests.stop()
        control?.end()
        access.inputs.arrival.signal()
        thread.join()
    }

    private static func run<Program: WatchProgram & ~Copyable>(
        _ engine: inout WatchEngine<Program>, serving requests: RestartMailbox
    ) {
        engine.start()
        while !requests.isStopping, engine.phase == .running {
            guard case .idle(let deadline) = engine.step() else { continue }
            if let asked = requests.request {
                requests.answer(asked, Result { () throws(RestartError) in try engine.perform(asked) })
            } else {
                engine.idle(until: deadline)
            }
        }
        engine.finish()
        requests.close()
    }
}

/// Holds the engine for the watch's thread, which keeps `contents` locked until the thread ends.
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
        if case .failed = program.surface.condition {
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

    /// Waits for an event or until `deadline`, on the real clock. During the wait, the mailbox's `restsUntil` is `deadline`.
    mutating func idle(until deadline: Instant?) {
        mailbox.rest(until: deadline ?? Instant(microseconds: .max))
        program.surface.idle(until: deadline)
        mailbox.rest(until: program.surface.clock.now)
    }

    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let image = try program.perform(request)
        publish(handled: program.surface.handled)
        return image
    }

    var phase: WatchSnapshot.Phase { latest.phase }

    /// Publishes the last snapshot, with the phase `.stopped`. Does nothing if the program has failed, because its last
    /// snapshot is already published.
    mutating func finish() {
        if case .failed = latest.phase { return }
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
        if case .failed(let reason) = program.surface.condition { latest.phase = .failed(reason: reason) }
        latest.time = program.surface.clock.now
        latest.output = program.surface.output
        latest.handled = handled
        mailbox.publish(latest)
    }
}

/// Passes snapshots from the watch's thread to other threads.
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

    /// Wakes every thread in `wait`. Each checks its condition again and computes how much longer it waits.
    func nudge() {
        contents.change { _ in }
        changes.signal()
    }

    /// Waits until a snapshot satisfies `condition` or the watch stops. Gives up when three things are true: `clock.outside`
    /// has reached `deadline`, the wait has lasted for `least` on this machine's clock, and the watch has done everything due
    /// before `deadline`.
    func wait(
        until deadline: Instant, atLeast least: Microseconds = .zero, on clock: HostClock,
        for condition: (WatchSnapshot) -> Bool
    ) -> WaitOutcome {
        let end = Instant(microseconds: ClockControl.machineTime) + least
        return contents.block { contents in
            let snapshot = contents.snapshot
            if condition(snapshot) { return .finish(.met(snapshot)) }
            if snapshot.phase != .running { return .finish(.stopped(snapshot)) }
            let rest = end - Instant(microseconds: ClockControl.machineTime)
            if clock.outside < deadline || rest > .zero {
                return .wait(
                    microseconds: max(clock.control.machineLength(until: deadline)?.count ?? .max, rest.count))
            }
            let isBehind = contents.restsUntil < deadline && clock.now < deadline
            return isBehind ? .wait(microseconds: nil) : .finish(.timedOut(snapshot))
        }
    }
}

/// A program for `SimulatedWatch` or `VirtualWatch`: the watch's runtime and its memory, on a simulated board.
public struct RuntimeProgram<Flash: NORFlash & ~Copyable, Handler: TapHandler>: WatchProgram, ~Copyable {
    /// The simulated board. It is the runtime's hardware. The simulator uses it to reach the watch.
    public let surface: SimulatedBoard<Flash>
    var runtime: WatchRuntime<SimulatedBoard<Flash>, Handler>
    private let memory: ProgramMemory
    private let rows: DescribedRows
    private let handler: Handler
    private var seeds: SplitMix64

    /// The newest description, and the time on the wall clock when it was made. Nil if a step has done work since then.
    private var last: (screen: ScreenDescription, time: LocalTime?)?

    /// Creates the program. It does not run before `start`.
    ///
    /// - Parameters:
    ///   - seed: seeds the watch's identity, if the flash does not hold one.
    ///   - rows: the rows that snapshots describe. Fewer rows make the simulation faster.
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

    /// Performs a request on the board. Unless the request is `.read`, the runtime restarts with empty memory.
    public mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let image = try surface.perform(request)
        if request == .read { return image }
        last = nil
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
        if case .again = next { last = nil }
        return next
    }

    /// Describes the content of the screen.
    public mutating func describe() -> ScreenDescription {
        // If no step has run, only the time on the screen can have changed. The times are compared in whole seconds.
        let time = surface.calendar
        if let last, last.time == time { return last.screen }
        let screen = ScreenDescription(&runtime, rows)
        last = (screen, time)
        return screen
    }
}

/// The runtime's memory. This is a class, because the optimiser of Swift 6.3 omits the `deinit` of a generic noncopyable
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
