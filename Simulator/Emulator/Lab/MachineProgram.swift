import DeviceModel
import HostSystem
import Watch
import WatchLink

/// The program of a `VirtualWatch`. It executes a lab image, including the image's drivers, on the emulated Reference board.
package struct MachineProgram: WatchProgram, ~Copyable {
    package let surface: MachineSurface
    private var machine: Machine
    private var reader = TraceReader()
    private var bridge = RadioBridge()
    private var wearer = WearerActions()
    private var recorder: CallStack
    private var ledger = StageLedger()
    package private(set) var handlerCode = HandlerCode()
    package private(set) var messageCode = MessageCode()
    private let stepLimit: UInt64
    /// The machine's number of instructions when the current step began.
    private var stepBegan: UInt64 = 0
    /// The core's totals at the last call of `note`. `bounds` is the range of cycles that the processor manual allows.
    private var noted: (spent: CallTree.Spent, bounds: ClosedRange<UInt64>, asleep: UInt64) = (
        CallTree.Spent(), 0...0, 0
    )
    /// The code that ran between the last event and the last call of `note`. The count of the next event includes this code.
    private var atRest = ExecutedCode.zero
    private var isSendingLines = false
    /// Whether the radio may have new datagrams or a new state for the bridge.
    private var isRadioChanged = true
    private var flashPace = FlashPace.typical
    private var place = Place.beforeStart
    private var last: ScreenDescription?
    /// What the image reported when it started. To request a description, the emulator writes 1 to the address `request`.
    /// The image's clock was 0 at `start`, which has the low 32 bits of the machine's time in microseconds.
    private var program: (request: UInt32, stack: Range<UInt32>, start: UInt32) = (0, 0..<0, 0)
    /// The events so far; empty unless `recordsEvents` is true.
    package private(set) var events: [CountedEvent] = []
    private let recordsEvents: Bool

    /// Whether the panel shows the rows of the last description.
    package private(set) var isPanelCurrent = true

    private enum Place {
        case beforeStart
        case inStep
        /// A step has ended. On request, the image describes its screen before it begins another step.
        case stepEnded(isIdle: Bool)
        /// The image has nothing to do. `hasSlept` says whether it has fallen asleep since its last step.
        case resting(hasSlept: Bool)
    }

    /// The maximum number of cycles that the machine runs before the simulator reads the machine's serial line again. `slice`
    /// is 0.25 ms. `sendingSlice`, 50 us, applies while the machine sends.
    private static let (slice, sendingSlice): (UInt64, UInt64) = (16_000, 3_200)
    /// The maximum length of a sleep, in cycles, that `step` executes itself. If the machine sleeps for longer, `step` returns
    /// `.idle`.
    private static let shortSleep = UInt64.microseconds(200)

    /// - Parameter seed: determines the chip's identity and its random numbers. If flash holds no identity of the watch, the
    ///   firmware makes one from the random numbers.
    package init(
        _ image: LabImage, _ composition: HandlerComposition, on hardware: BenchHardware, seed: UInt64,
        recordsEvents: Bool = false
    ) throws(DeviceModelError) {
        self.recordsEvents = recordsEvents
        surface = try MachineSurface(hardware)
        stepLimit = image.stepLimit
        let chip = try? hardware.chip.map { try SerialFlash(contents: $0) }
        machine = image.watch(composition, seed: seed, chip: chip)
        machine.part.notesWork = true
        recorder = CallStack(image.functions, of: machine.core)
    }

    package var chip: [UInt8]? { machine.board.flash.contents }

    package mutating func start() {
        _ = step()
    }

    package mutating func step() -> NextStep {
        do throws(EmulatorError) {
            return try executeStep()
        } catch {
            surface.fail("\(error)")
            return .idle(until: nil)
        }
    }

    private mutating func executeStep() throws(EmulatorError) -> NextStep {
        switch place {
        case .beforeStart, .resting, .inStep: break
        case .stepEnded(let isIdle):
            place = isIdle ? .resting(hasSlept: false) : .inStep
            stepBegan = machine.instructions
        }
        isRadioChanged = true
        while true {
            try exchange()
            if let next = try run() { return next }
            guard case .resting(let hasSlept) = place, machine.isAsleep else { continue }
            stepBegan = machine.instructions
            atRest += note()
            if !hasSlept {
                if recordsEvents { events.append(CountedEvent(event: nil, count: atRest.count)) }
                place = .resting(hasSlept: true)
                atRest = .zero
            }
            guard machine.now >= surface.time.now.cycle else { continue }
            // Carries the last bytes that the machine sent before it fell asleep.
            try exchange()
            let due = [machine.nextEvent, wearer.due, bridge.deadline(surface.radio)?.cycle].compactMap(\.self).min()
            guard let due, due < .max else { return .idle(until: nil) }
            // Rounds up, to the first microsecond at which the event has happened.
            if due > machine.now + MachineProgram.shortSleep {
                return .idle(until: Instant(microseconds: (due + 63) / 64))
            }
        }
    }

    /// Collects new inputs. If the machine has reached the clock's time, also performs the inputs that are due, and passes
    /// bytes between the machine and the bridge.
    private mutating func exchange() throws(EmulatorError) {
        var count = surface.inputs.taken.count
        while let input = surface.inputs.next() {
            count += 1
            wearer.add(input, InputNumber(count))
        }
        let now = surface.time.now
        guard machine.now >= now.cycle else { return }
        let pace = surface.switches.faults.flashPace
        if pace != flashPace {
            machine.part.board.flash.isSlow = pace == .maximum
            flashPace = pace
        }
        do throws(EmulatorError) {
            if let over = try wearer.act(on: &machine) { surface.handled = over }
        } catch {
            throw .ended("\(error)")
        }
        let sent = machine.part.takeSerial()
        guard isRadioChanged || !sent.isEmpty else { return }
        isRadioChanged = false
        let said = bridge.service(hearing: sent, at: now, surface.radio)
        if !said.isEmpty { machine.part.receiveSerial(said, at: machine.now) }
    }

    /// Runs the machine for at most one slice, and not past the next event of the clock, the wearer or the bridge. Returns nil
    /// if the current step has not ended.
    private mutating func run() throws(EmulatorError) -> NextStep? {
        let slice = machine.isSendingSerial ? MachineProgram.sendingSlice : MachineProgram.slice
        var limit = machine.now + slice
        let event = surface.time.nextEvent
        for due in [event?.cycle, wearer.due, bridge.deadline(surface.radio)?.cycle] { limit = min(limit, due ?? .max) }
        limit = max(limit, surface.time.now.cycle, machine.now + 64)
        let resets = machine.resets.count
        let stop = machine.run(until: limit, &recorder)
        if let fault = machine.takeFault() { throw EmulatorError(fault, machine.image.functions) }
        if let reset = machine.resets.dropFirst(resets).first { throw ended(reset) }
        let now = Instant(cycle: machine.now)
        surface.time.advance(to: now)
        let due = [event, bridge.deadline(surface.radio)].compactMap(\.self)
        if due.contains(where: { $0 <= now }) { isRadioChanged = true }
        switch stop {
        case nil: break
        case .traced(let word):
            guard let event = try reader.take(word, of: machine) else { return nil }
            return try enter(event)
        case .breakpoint, .address, .watchpoint, .exited, .resetLoop: throw .notForLab
        }
        if machine.instructions - stepBegan < stepLimit { return nil }
        throw .endlessStep(instructions: stepLimit, function: machine.image.functions.title(at: machine.register(15)))
    }

    private func ended(_ reset: Machine.Reset) -> EmulatorError {
        guard reset.reason == .watchdog else {
            var (copy, console) = (machine, TransferConsole())
            return .ended("\(SanitizedLine(String(decoding: console.take(from: &copy), as: UTF8.self), limit: 200))")
        }
        return .watchdog(function: machine.image.functions.title(recorder.function))
    }

    /// Passes to `surface` what the core did since the last call, and returns the code that the core executed in this time.
    private mutating func note() -> ExecutedCode {
        recorder.settle(machine.core.spent)
        let (awake, asleep) = (machine.core.spent, machine.asleep)
        let bounds = machine.core.cycleBounds
        let slept = asleep - noted.asleep
        let code = ExecutedCode(
            instructions: Int(awake.instructions - noted.spent.instructions),
            cycles: Int(awake.cycles - noted.spent.cycles - slept),
            fewestCycles: Int(bounds.lowerBound - noted.bounds.lowerBound - slept),
            mostCycles: Int(bounds.upperBound - noted.bounds.upperBound - slept))
        let spi = machine.part.work.filter { $0.kind == .spi }.reduce(0) { $0 + UInt64($1.span.count) }
        machine.part.notesWork = true
        noted = (awake, bounds, asleep)
        surface.enter(code, asleep: slept, spi: min(slept, spi), isSendingLines: isSendingLines)
        return code
    }

    private mutating func enter(_ event: TracedEvent) throws(EmulatorError) -> NextStep? {
        let code = atRest + note()
        atRest = .zero
        if recordsEvents { events.append(CountedEvent(event: event, count: code.count)) }
        try handlerCode.enter(code, upTo: event)
        try messageCode.enter(code, upTo: event)
        ledger.enter(event, recorder.tree)
        let (now, start) = (surface.time.now, program.start)
        surface.enter(event, touch: machine.board.touchEdge.map { Instant(cycle: $0) }) { time in
            now.before(word: time &+ start)
        }
        switch event {
        case .beginLines: isSendingLines = true
        case .shownLines: isSendingLines = false
        case .stepping: place = .inStep
        case .input: wearer.taken()
        case .started(let request, let stack, let time):
            program = (request, stack, UInt32(truncatingIfNeeded: now.microseconds) &- time)
            return endStep(.again)
        case .stepped(let isIdle): return endStep(isIdle ? .idle(until: now) : .again)
        case .described, .name, .named: throw .notForLab
        case .mark, .stageBegan, .stageEnded, .screenChanged, .moment, .journalFailed, .messageWork, .haptic, .datagram,
            .line, .finishLines, .handler:
            break
        }
        return nil
    }

    private mutating func endStep(_ next: NextStep) -> NextStep {
        if case .reference(let front) = machine.board.model {
            surface.show(front.panel, machine.part.board.takePanelWrites())
        }
        last = nil
        switch next {
        case .again: place = .stepEnded(isIdle: false)
        case .idle:
            place = .stepEnded(isIdle: true)
            surface.output.work.stackBytes = usedStack
        }
        return next
    }

    /// The maximum use of the stack so far, in bytes. The start-up code fills the stack with a pattern (`StackPaint`), and
    /// bytes that were never used still hold the pattern.
    private var usedStack: Int {
        let stack = program.stack
        guard let bytes = machine.bytes(at: stack.lowerBound, count: stack.count) else { return 0 }
        let paint: [UInt8] = [0xC5, 0x5A, 0xC5, 0x5A]
        return stack.count - bytes.enumerated().prefix { $0.element == paint[$0.offset % 4] }.count
    }

    package var spending: MachineSpending {
        MachineSpending(tree: recorder.tree, ledger: ledger, functions: machine.image.functions)
    }

    package mutating func describe() -> ScreenDescription {
        if let last { return last }
        do throws(EmulatorError) {
            let screen = try ask()
            last = screen
            return screen
        } catch {
            surface.fail("\(error)")
            return ScreenDescription()
        }
    }

    /// Asks a copy of the machine for its screen description, so that the watch itself spends no time.
    private mutating func ask() throws(EmulatorError) -> ScreenDescription {
        var (copy, reader) = (machine, TraceReader())
        _ = copy.write([1, 0, 0, 0], at: program.request)
        let limit = copy.now + Machine.cyclesPerSecond
        while copy.now < limit {
            guard case .traced(let word) = copy.run(until: limit),
                let event = try reader.take(word, of: copy)
            else { continue }
            guard case .described(let bytes, let isPanelCurrent) = event else { continue }
            self.isPanelCurrent = isPanelCurrent
            do throws(CBORError) {
                return try ScreenDescription(cbor: bytes.span)
            } catch {
                throw .notForLab
            }
        }
        throw .notForLab
    }
}

package typealias MachineBench = ProgramBench<MachineProgram>

extension ProgramBench where Program == MachineProgram {
    /// - Parameter profile: the costs of the radio link and the phone. The machine itself determines the costs of the watch.
    /// - Throws: `.systemCall` if the process is out of file descriptors.
    package convenience init(
        _ image: LabImage, _ composition: HandlerComposition, phone: InMemoryPhone,
        profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1,
        calendar: BoardCalendar = .set(BoardCalendar.example, at: .start), recordsEvents: Bool = false
    ) throws(DeviceModelError) {
        try self.init(
            phone: phone, profile: profile, seed: seed, calendar: calendar
        ) { hardware, seed throws(DeviceModelError) in
            try MachineProgram(image, composition, on: hardware, seed: seed, recordsEvents: recordsEvents)
        }
    }
}

/// An event of the trace or the beginning of a sleep, and the code that ran since the previous `CountedEvent`.
package struct CountedEvent: Sendable, Equatable {
    /// The event of the trace. Nil if instead the processor went to sleep because the watch had nothing to do.
    package var event: TracedEvent?
    package var count: CodeCount
}

extension Instant {
    /// Returns the time, at most 35 minutes before `self`, whose low 32 bits are `word`. Returns `self` if `word` is later than
    /// `self`, because the image's clock may be one tick ahead.
    func before(word: UInt32) -> Instant {
        let ago = Int32(bitPattern: UInt32(truncatingIfNeeded: microseconds) &- word)
        return Instant(microseconds: microseconds - min(UInt64(max(ago, 0)), microseconds))
    }
}
