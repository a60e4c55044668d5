/// Whether a store exclusive succeeds (A3.4).
enum ExclusiveMonitor: Sendable {
    case open, exclusive
}

/// Which of the two stack pointers is register 13.
enum StackChoice: Sendable {
    case main, process
}

/// A Cortex-M4 with its memory: what a program sees of it. It is a value, saved by a copy and put back by an assignment.
package struct CortexM4: Sendable {
    /// Registers 0 to 12, the stack pointer, the link register, and the address of the present instruction plus 4.
    var registers: InlineArray<16, UInt32> = .init(repeating: 0)
    var flags = Flags()
    /// The single-precision registers, and their unit's status.
    var numbers: InlineArray<32, UInt32> = .init(repeating: 0)
    var float = FloatStatus()
    /// The IT state: the conditions of the next up to four instructions (A7.3.3); 0 outside a block.
    var ifThen: UInt8 = 0
    /// What keeps interrupts off.
    var masks = MaskRegisters()
    var stackChoice = StackChoice.main
    /// The stack pointer that is not register 13.
    var otherStack: UInt32 = 0
    /// The address of the instruction that is executed next.
    package internal(set) var next: UInt32 = 0
    var memory: MemoryMap
    var monitor = ExclusiveMonitor.open
    /// How many bits the last quotient had, which the time of a division follows from.
    var quotientBits: UInt64 = 0
    let program: DecodedProgram
    private var counter: CycleCounter
    var instructionFetch: InstructionFetch
    /// Instructions that were executed, those whose condition failed too.
    package private(set) var instructions: UInt64 = 0

    /// A processor before its first instruction.
    ///
    /// - Parameters:
    ///   - memory: flash and RAM, as the program expects them.
    ///   - entry: the address of the first instruction.
    ///   - stack: the first stack pointer.
    ///   - timing: how many cycles the core takes.
    package init(memory: MemoryMap, entry: UInt32, stack: UInt32, timing: CoreTiming = .cortexM4) {
        self.memory = memory
        program = DecodedProgram(memory.flash, from: memory.flashStart)
        counter = CycleCounter(timing)
        instructionFetch = InstructionFetch(timing.flash)
        next = entry & ~1
        registers[13] = stack & ~3
        // B1.5.5.
        registers[14] = .max
    }

    /// Where an instruction has led to.
    package enum Step: Equatable, Sendable {
        /// To the one behind it.
        case onward
        /// A branch was taken.
        case branched
    }

    /// Executes one instruction. Where it traps, the next one is the same again.
    @discardableResult
    package mutating func step() throws(Trap) -> Step {
        let address = next
        let entry = try fetch(program, address)
        if address < MemoryMap.ramStart { instructionFetch.fetch(address) }
        registers[15] = address &+ 4
        next = address &+ UInt32(entry.length)
        let step: Step
        do throws(Trap) {
            if ifThen == 0 {
                try execute(entry.instruction)
                step = count(entry, address)
            } else {
                step = try executeInBlock(entry, address)
            }
        } catch {
            next = address
            throw error
        }
        instructions &+= 1
        return step
    }

    /// Executes an instruction of an IT block, where its condition holds.
    private mutating func executeInBlock(
        _ entry: DecodedProgram.Entry, _ address: UInt32
    ) throws(Trap) -> Step {
        let state = ifThen
        var step = Step.onward
        let condition = Condition(rawValue: state &>> 4) ?? .always
        if flags.satisfy(condition) {
            try execute(entry.instruction)
            step = count(entry, address)
        } else {
            counter.skip(length: UInt32(entry.length))
        }
        // A7.3.3, ITAdvance: the last one of the block ends it.
        ifThen = state & 7 == 0 ? 0 : state & 0xE0 | state &<< 1 & 0x1F
        return step
    }

    /// Whether the present instruction is one of an IT block.
    var isInBlock: Bool { ifThen != 0 }

    // MARK: Cycles

    /// Cycles since the first instruction, those included that flash was waited for.
    package var cycles: UInt64 { counter.cycles &+ instructionFetch.waited }

    /// The fewest and the most cycles that the core's manual allows for the same instructions.
    package var cycleBounds: ClosedRange<UInt64> { cycles &- counter.fewer...cycles &+ counter.more }

    /// A number that the program reads from memory.
    @inline(__always)
    mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
        _ address: UInt32, as type: Number.Type
    ) throws(Trap) -> Number {
        if address < MemoryMap.ramStart { instructionFetch.read() }
        return try memory.load(address, as: type)
    }

    @inline(__always)
    private mutating func count(_ entry: DecodedProgram.Entry, _ address: UInt32) -> Step {
        let length = UInt32(entry.length)
        let isTaken = entry.timing.kind.isTaken(goesElsewhere: next != address &+ length)
        let isSplit = isTaken && next & 2 != 0 && program[next]?.length == 4
        counter.count(
            entry.timing, length: length, isTaken: isTaken, isSplit: isSplit, quotientBits: quotientBits)
        return isTaken ? .branched : .onward
    }
}
