import DeviceModel
import HostCalls
import MachineCode
import Watch
import WatchLink

/// A watch whose machine code is executed, as a program for `VirtualWatch` and `SimulatedWatch`: its board carries out what the code
/// asks for, and is charged what the processor has spent in between.
package struct MachineProgram<Flash: NORFlash & ~Copyable>: WatchProgram, ~Copyable {
    package let surface: SimulatedBoard<Flash>
    private var machine: LabMachine
    private var ledger = StageLedger()
    /// What the handler's own code has executed, where its image reports when that begins and returns.
    package private(set) var handlerCode = HandlerCode()
    /// What was executed for the handler's messages, buttons and files.
    package private(set) var messageCode = MessageCode()
    private let settings: LabSettings
    /// Who sees how the calls of the program are answered; nil for nobody.
    private let witness: (any AnswerWitness)?
    /// What the processor had spent when the board was charged last.
    private var charged: (spent: CallTree.Spent, bounds: ClosedRange<UInt64>) = (CallTree.Spent(), 0...0)
    /// Where the program's stack is; empty before it has said so.
    private var stack: Range<UInt32> = 0..<0
    private var place = Place.beforeStart
    private var last = LastDescription.outdated
    private var panel = WatchSnapshot.PanelRows.current
    /// Its calls so far, where they are recorded.
    package private(set) var recording: CallRecording

    /// Whether the panel shows the rows of the last description.
    package var isPanelCurrent: Bool { panel == .current }

    /// Where the machine stands.
    private enum Place {
        case beforeStart
        /// At the call that ends a step, which is answered when the next one begins.
        case betweenSteps
    }

    private enum LastDescription {
        case outdated
        /// It was made when the calendar showed this time, and no step has done anything since.
        case current(ScreenDescription, at: LocalTime?)
    }

    /// A watch of an image.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - composition: the handler, and what of it runs.
    ///   - board: the board.
    ///   - seed: randomness for the identity of a watch whose flash holds none.
    ///   - recording: what is kept of its calls.
    ///   - witness: who sees how the calls of the program are answered; nil for nobody.
    package init(
        _ image: LabImage, _ composition: LabSettings.Composition, on board: SimulatedBoard<Flash>, seed: UInt64,
        recording: CallRecording = .none, witness: (any AnswerWitness)? = nil
    ) {
        self.recording = recording
        surface = board
        self.witness = witness
        board.processorWork = .executed
        settings = LabSettings(seed: seed, purpose: .running(composition))
        machine = LabMachine(image.processor, image.functions, patience: image.patience)
    }

    package mutating func start() {
        _ = step()
    }

    package mutating func step() -> NextStep {
        do throws(LabImageError) {
            return try executeStep()
        } catch {
            surface.fail("\(error)")
            return .idle(until: nil)
        }
    }

    /// Executes the program up to the end of its step.
    private mutating func executeStep() throws(LabImageError) -> NextStep {
        switch place {
        case .beforeStart: place = .betweenSteps
        case .betweenSteps: try answer { machine in machine.beginStep(HostRequest.goOn.rawValue) }
        }
        while true {
            let call = try machine.nextCall()
            let code = charge()
            defer { recording.enter(call, answer: machine.answered, code) }
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
                try answer { machine throws(LabImageError) in
                    try machine.fill(block, words)
                    machine.answer(0)
                }
            case .handler, .messageWork:
                try answer { machine in machine.answer(0) }
            case .board(let call):
                if case .trace(let trace) = call { ledger.enter(trace, machine.calls.tree) }
                let board = surface
                try answer { machine throws(LabImageError) in try machine.carryOut(call, on: board) }
            case .description, .name, .exception: throw .strange
            }
        }
    }

    /// Answers the call that the machine stands at, before the eyes of the witness where there is one.
    private mutating func answer(
        _ answering: (inout LabMachine) throws(LabImageError) -> Void
    ) throws(LabImageError) {
        guard let witness else { return try answering(&machine) }
        let before = machine.processor
        try answering(&machine)
        witness.answered(before, machine.processor)
    }

    /// Charges the board what the processor has spent since, and returns it.
    private mutating func charge() -> ExecutedCode {
        let (spent, bounds) = (machine.spent - charged.spent, machine.cycleBounds)
        let code = ExecutedCode(
            instructions: Int(spent.instructions), cycles: Int(spent.cycles),
            fewestCycles: Int(bounds.lowerBound - charged.bounds.lowerBound),
            mostCycles: Int(bounds.upperBound - charged.bounds.upperBound))
        surface.executed(
            instructions: code.instructions, cycles: code.cycles, allowed: code.fewestCycles...code.mostCycles)
        charged = (machine.spent, bounds)
        return code
    }

    /// Where its cycles went so far.
    package var spending: MachineSpending {
        MachineSpending(tree: machine.calls.tree, ledger: ledger, functions: machine.functions)
    }

    package mutating func describe() -> ScreenDescription {
        let time = surface.calendar
        if case .current(let screen, at: time) = last { return screen }
        do throws(LabImageError) {
            let screen = try ask()
            last = .current(screen, at: time)
            return screen
        } catch {
            surface.fail("\(error)")
            return ScreenDescription()
        }
    }

    /// Has a copy of the machine describe its screen, which costs the watch nothing.
    private mutating func ask() throws(LabImageError) -> ScreenDescription {
        var copy = machine
        copy.beginStep(HostRequest.description.rawValue)
        while true {
            switch try copy.nextCallUnattributed() {
            case .board(let call): try copy.carryOut(call, on: surface)
            case .description(let bytes, let panel):
                self.panel = panel == 0 ? .behind : .current
                do throws(CBORError) {
                    return try ScreenDescription(cbor: bytes)
                } catch {
                    throw .strange
                }
            case .started, .worked, .idle, .settings, .name, .exception, .handler, .messageWork: throw .strange
            }
        }
    }
}
