import CortexM
import HostCalls
import MachineCode

/// A processor that executes an image from one call to the next. It is a value: a copy goes on from the same place.
struct LabMachine {
    private(set) var processor: CortexM4
    /// Who runs, and what it has spent.
    private(set) var calls: CallStack
    let functions: FunctionTable
    /// The most instructions that are executed from the beginning of a step to its end.
    private let patience: UInt64
    private var stepBegan: UInt64 = 0

    /// - Parameters:
    ///   - processor: before the program's first instruction.
    ///   - functions: the program's.
    ///   - patience: the most instructions of a step of the program, at least 1.
    init(_ processor: CortexM4, _ functions: FunctionTable, patience: UInt64) {
        self.processor = processor
        self.functions = functions
        self.patience = patience
        calls = CallStack(
            functions, at: processor.next, returningTo: processor.register(14) & ~1, CallTree.Spent())
    }

    /// Executes instructions up to the next call.
    ///
    /// - Throws: why it does not get there.
    mutating func nextCall() throws(LabImageError) -> LabCall {
        // Not as an argument of `check`: it would copy the machine for the time of the run.
        let end = processor.runToCall(upTo: stepBegan + patience, &calls)
        try check(end)
        calls.settle(spent)
        return try LabCall(of: processor)
    }

    /// The same, for a machine whose spending nobody asks for.
    mutating func nextCallUnattributed() throws(LabImageError) -> LabCall {
        var nobody = NoObserver()
        let end = processor.runToCall(upTo: stepBegan + patience, &nobody)
        try check(end)
        return try LabCall(of: processor)
    }

    private func check(_ end: RunEnd) throws(LabImageError) {
        switch end {
        case .call: break
        case .trapped(let trap): throw .trapped(trap, at: processor.next, function: function)
        case .endless: throw .endless(instructions: patience, function: function)
        }
    }

    /// What it has spent since its first instruction.
    var spent: CallTree.Spent {
        CallTree.Spent(cycles: processor.cycles, instructions: processor.instructions)
    }

    /// The fewest and the most cycles that the manual of the core allows for it.
    var cycleBounds: ClosedRange<UInt64> { processor.cycleBounds }

    /// Goes on behind the call with this as its answer.
    mutating func answer(_ answer: UInt32) {
        processor.answerBreakpoint(answer)
    }

    /// What was answered last; the call's own number before.
    var answered: UInt32 { processor.register(0) }

    /// The same, for a call that ends a step: the next one may take as long again.
    mutating func beginStep(_ answer: UInt32) {
        stepBegan = processor.instructions
        processor.answerBreakpoint(answer)
    }

    /// Fills the block that a call has given.
    mutating func fill(_ block: UInt32, _ words: [UInt32]) throws(LabImageError) {
        guard processor.write(words: words, at: block) else { throw .unknownCall(processor.register(0)) }
    }

    /// Writes bytes to where a call wants them.
    mutating func write(_ bytes: [UInt8], at address: UInt32) throws(LabImageError) {
        guard processor.write(bytes, at: address) else { throw .unknownCall(processor.register(0)) }
    }

    /// The bytes of a stack that were ever in use, by the paint that is left of it.
    func used(of stack: Range<UInt32>) -> Int {
        guard let bytes = processor.bytes(at: stack.lowerBound, count: stack.count) else { return 0 }
        let paint = (0..<4).map { UInt8(truncatingIfNeeded: HostCall.stackPaint &>> (8 * $0)) }
        let untouched = bytes.enumerated().prefix { $0.element == paint[$0.offset % 4] }.count
        return stack.count - untouched
    }

    /// The function that runs.
    private var function: String { functions.title(at: processor.next) }
}

/// Where a run of an image has ended.
private enum RunEnd {
    /// At a call to the host.
    case call
    case trapped(Trap)
    /// After too many instructions.
    case endless
}

extension CortexM4 {
    fileprivate mutating func runToCall<Observer: FlowObserver>(upTo limit: UInt64, _ observer: inout Observer)
        -> RunEnd
    {
        do throws(Trap) {
            // No instruction has an odd address: it never arrives.
            _ = try run(upTo: limit, until: 1, &observer)
            return .endless
        } catch {
            return error == .breakpoint(HostCall.breakpoint) ? .call : .trapped(error)
        }
    }
}
