import DeviceModel
import HostCalls
import Watch
import WatchLink

/// A watch program for `VirtualWatch` and `SimulatedWatch` that runs machine code. The board performs the code's host calls.
/// Between calls, the board's clock advances by the executed cycles.
package struct MachineProgram<Flash: NORFlash & ~Copyable>: WatchProgram, ~Copyable {
    package let surface: SimulatedBoard<Flash>
    private var machine: LabMachine
    private var ledger = StageLedger()
    /// The handler's own code. Zero if the image does not report when it begins and returns.
    package private(set) var handlerCode = HandlerCode()
    package private(set) var messageCode = MessageCode()
    private let settings: LabSettings
    private let witness: AnswerWitness?
    /// The part of the machine's cycles that has already been charged to the board.
    private var charged: (spent: CallTree.Spent, bounds: ClosedRange<UInt64>) = (CallTree.Spent(), 0...0)
    /// The addresses of the stack. Empty until the program has reported them.
    private var stack: Range<UInt32> = 0..<0
    private var place = Place.beforeStart
    private var last = LastDescription.outdated
    /// The host calls so far. Empty unless `recordsCalls` is true.
    package private(set) var calls: [CountedCall] = []
    private let recordsCalls: Bool

    /// Whether the panel shows the rows of the last description.
    package private(set) var isPanelCurrent = true

    private enum Place {
        case beforeStart
        /// The machine stands at the call that ended a step. The answer to that call starts the next step.
        case betweenSteps
    }

    private enum LastDescription {
        case outdated
        /// A description made at this time of the calendar. No step has run since.
        case current(ScreenDescription, at: LocalTime?)
    }

    /// - Parameters:
    ///   - composition: the handler, and the stages of it that run.
    ///   - seed: seeds the identity of a watch if its flash holds none.
    package init(
        _ image: LabImage, _ composition: LabSettings.Composition, on board: SimulatedBoard<Flash>, seed: UInt64,
        recordsCalls: Bool = false, witness: AnswerWitness? = nil
    ) {
        self.recordsCalls = recordsCalls
        surface = board
        self.witness = witness
        board.processorWork = .executed
        settings = LabSettings(seed: seed, purpose: .running(composition))
        machine = LabMachine(image.processor, image.functions, stepLimit: image.stepLimit)
    }

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
        case .beforeStart: place = .betweenSteps
        case .betweenSteps: try answer { machine in machine.beginStep(HostRequest.goOn.rawValue) }
        }
        while true {
            let call = try machine.nextCall()
            let code = charge()
            defer {
                if recordsCalls {
                    let kind = CountedCall.Kind(call, answer: machine.answered)
                    calls.append(CountedCall(kind: kind, count: code.count))
                }
            }
            try handlerCode.enter(code, upTo: call)
            try messageCode.enter(code, upTo: call)
            switch call {
            case .started(let stack):
                self.stack = stack
                last = .outdated
                return .again
            case .worked:
                last = .outdated
                return .again
            case .idle(let deadline):
                surface.used(stackBytes: machine.used(of: stack))
                return .idle(until: deadline)
            case .settings(let block):
                let words = settings.words
                try answer { machine throws(EmulatorError) in
                    try machine.fill(block, words)
                    machine.answer(0)
                }
            case .handler, .messageWork:
                try answer { machine in machine.answer(0) }
            case .trace(let trace):
                ledger.enter(trace, machine.calls.tree)
                surface.enter(trace)
                try answer { machine in machine.answer(0) }
            case .board(let call):
                let board = surface
                try answer { machine throws(EmulatorError) in try machine.carryOut(call, on: board) }
            case .description, .name, .exception: throw .notForLab
            }
        }
    }

    /// Answers the host call at which the machine stands, and passes both states to the witness.
    private mutating func answer(
        _ answering: (inout LabMachine) throws(EmulatorError) -> Void
    ) throws(EmulatorError) {
        guard let witness else { return try answering(&machine) }
        let before = machine.processor
        try answering(&machine)
        witness(before, machine.processor)
    }

    /// Charges the board for the code since the last call, and returns that code.
    private mutating func charge() -> ExecutedCode {
        let (spent, bounds) = (machine.processor.spent - charged.spent, machine.processor.cycleBounds)
        let code = ExecutedCode(
            instructions: Int(spent.instructions), cycles: Int(spent.cycles),
            fewestCycles: Int(bounds.lowerBound - charged.bounds.lowerBound),
            mostCycles: Int(bounds.upperBound - charged.bounds.upperBound))
        surface.executed(
            instructions: code.instructions, cycles: code.cycles, allowed: code.fewestCycles...code.mostCycles)
        charged = (machine.processor.spent, bounds)
        return code
    }

    package var spending: MachineSpending {
        MachineSpending(tree: machine.calls.tree, ledger: ledger, functions: machine.functions)
    }

    package mutating func describe() -> ScreenDescription {
        let time = surface.calendar
        if case .current(let screen, at: time) = last { return screen }
        do throws(EmulatorError) {
            let screen = try ask()
            last = .current(screen, at: time)
            return screen
        } catch {
            surface.fail("\(error)")
            return ScreenDescription()
        }
    }

    /// Asks a copy of the machine for its screen description, so that the watch itself spends no time.
    private mutating func ask() throws(EmulatorError) -> ScreenDescription {
        var copy = machine
        copy.beginStep(HostRequest.description.rawValue)
        while true {
            switch try copy.nextCallUnattributed() {
            case .trace(let trace):
                surface.enter(trace)
                copy.answer(0)
            case .board(let call): try copy.carryOut(call, on: surface)
            case .description(let bytes, let panel):
                isPanelCurrent = panel != 0
                do throws(CBORError) {
                    return try ScreenDescription(cbor: bytes.span)
                } catch {
                    throw .notForLab
                }
            case .started, .worked, .idle, .settings, .name, .exception, .handler, .messageWork: throw .notForLab
            }
        }
    }
}

/// A watch that runs machine code, a phone and the radio link between them, on one virtual clock.
package typealias MachineBench = ProgramBench<MachineProgram<SharedFlash>>

extension ProgramBench where Program == MachineProgram<SharedFlash> {
    /// Creates a bench with a new watch that is not connected.
    ///
    /// - Parameters:
    ///   - composition: the handler, and the stages of it that run.
    ///   - phone: the phone. From now on, its database work takes the time that the profile gives.
    ///   - seed: seeds the faults of the radio link and the identity of the watch.
    ///   - flash: by default erased flash without room for files.
    /// - Throws: `.systemCall` if the process is out of file descriptors.
    package convenience init(
        _ image: LabImage, _ composition: LabSettings.Composition, phone: SimulatedPhone,
        profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1,
        flash: MemoryFlash = MemoryFlash(FlashGeometry(sectorCount: 16)), recordsCalls: Bool = false,
        witness: AnswerWitness? = nil
    ) throws(DeviceModelError) {
        try self.init(
            phone: phone, profile: profile, seed: seed, calendar: .set(BoardCalendar.example, at: .start),
            flash: flash
        ) { board, seed in
            MachineProgram(image, composition, on: board, seed: seed, recordsCalls: recordsCalls, witness: witness)
        }
    }
}

/// Receives each answer to a host call: the processor at the breakpoint of the call, and after the call with the answer in its
/// registers and memory. The copy that describes the screen does not call it.
package typealias AnswerWitness = @Sendable (_ before: CortexM4, _ after: CortexM4) -> Void

/// A host call, reduced to what marks the parts of a tap.
package struct CountedCall: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case idle
        /// The program reads an input of the wearer.
        case input
        case datagram
        /// The program reads the time for its next mark.
        case now
        case beginLines
        case line
        case finishLines
        case mark(TapMark, tap: TapNumber)
        case stageBegan(String)
        case stageEnded(String)
        case other
    }

    package var kind: Kind
    /// The code that ran since the previous call.
    package var count: CodeCount
}

extension CountedCall.Kind {
    init(_ call: LabCall, answer: UInt32) {
        switch call {
        case .idle: self = .idle
        case .board(.now): self = .now
        case .board(.nextInput) where answer != 0: self = .input
        case .board(.receiveDatagram) where answer != HostCall.nothing: self = .datagram
        case .board(.beginLines): self = .beginLines
        case .board(.writeLine): self = .line
        case .board(.finishLines): self = .finishLines
        case .trace(.mark(let mark, let tap, _)): self = .mark(mark, tap: tap)
        case .trace(.stageBegan(let name, _, _)): self = .stageBegan(name)
        case .trace(.stageEnded(let name, _, _)): self = .stageEnded(name)
        case .settings, .started, .worked, .description, .name, .exception, .handler, .messageWork, .trace, .board:
            self = .other
        }
    }
}
