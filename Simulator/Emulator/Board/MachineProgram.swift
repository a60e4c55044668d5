import DeviceModel
import HostCalls
import Watch
import WatchLink

/// A watch with executed machine code, as a program for `VirtualWatch` and `SimulatedWatch`. The board performs the calls of
/// the code, and its clock advances by the cycles between them.
package struct MachineProgram<Flash: NORFlash & ~Copyable>: WatchProgram, ~Copyable {
    package let surface: SimulatedBoard<Flash>
    private var machine: LabMachine
    private var ledger = StageLedger()
    /// The handler's own code, if the image reports its beginning and return.
    package private(set) var handlerCode = HandlerCode()
    package private(set) var messageCode = MessageCode()
    private let settings: LabSettings
    private let witness: AnswerWitness?
    /// The part of the machine's cycles that the board was charged.
    private var charged: (spent: CallTree.Spent, bounds: ClosedRange<UInt64>) = (CallTree.Spent(), 0...0)
    /// The addresses of the stack; empty before the program has reported them.
    private var stack: Range<UInt32> = 0..<0
    private var place = Place.beforeStart
    private var last = LastDescription.outdated
    /// The calls so far; empty unless they are recorded.
    package private(set) var calls: [CountedCall] = []
    private let recordsCalls: Bool

    /// Whether the panel shows the rows of the last description.
    package private(set) var isPanelCurrent = true

    private enum Place {
        case beforeStart
        /// At the call that ends a step. The next step begins with its answer.
        case betweenSteps
    }

    private enum LastDescription {
        case outdated
        /// Made at a time of the calendar. No step has changed anything since.
        case current(ScreenDescription, at: LocalTime?)
    }

    /// - Parameters:
    ///   - composition: the handler, and its stages that run.
    ///   - seed: randomness for the identity of a watch whose flash holds none.
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

    /// Answers the present call of the machine, and shows the answer to the witness.
    private mutating func answer(
        _ answering: (inout LabMachine) throws(EmulatorError) -> Void
    ) throws(EmulatorError) {
        guard let witness else { return try answering(&machine) }
        let before = machine.processor
        try answering(&machine)
        witness(before, machine.processor)
    }

    /// Charges the board the code since the last call, and returns that code.
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

    /// Lets a copy of the machine describe its screen, which takes no time on the watch.
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

/// A watch with executed machine code, a phone and the radio link between them, on one virtual clock.
package typealias MachineBench = ProgramBench<MachineProgram<SharedFlash>>

extension ProgramBench where Program == MachineProgram<SharedFlash> {
    /// A bench with a new watch, not connected yet.
    ///
    /// - Parameters:
    ///   - composition: the handler, and its stages that run.
    ///   - phone: the phone, whose database costs what the profile says from now on.
    ///   - seed: randomness for the faults of the radio link and the identity of the watch.
    ///   - flash: erased and without room for files by default.
    /// - Throws: `.systemCall` if there are no descriptors left.
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

/// Called with each answer to a program: the processor at the breakpoint of the call, and then after the call with the answer in
/// its registers and memory. It is not called for the copy that describes the screen.
package typealias AnswerWitness = @Sendable (_ before: CortexM4, _ after: CortexM4) -> Void

/// A call of a program to its board, reduced to the marks of a tap's parts.
package struct CountedCall: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case idle
        /// The program takes an input of the wearer.
        case input
        case datagram
        /// The program asks for the time, which the next mark bears.
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
    /// The code since the call before.
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
