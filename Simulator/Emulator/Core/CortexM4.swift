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

extension CortexM4 {
    /// Why a run has ended.
    package enum Pause: Equatable, Sendable {
        /// The next instruction is the one that it was to go on to.
        case arrived
        /// So many instructions were executed.
        case limit
    }

    /// Executes instructions, at least one.
    ///
    /// - Parameters:
    ///   - limit: the most that are executed since the first instruction of all.
    ///   - end: the address to stop at.
    @inline(__always)
    package mutating func run<Observer: FlowObserver>(
        upTo limit: UInt64, until end: UInt32, _ observer: inout Observer
    ) throws(Trap) -> Pause {
        repeat {
            let address = next
            if try step() == .branched {
                observer.moved(flow(from: address), cycles: cycles, instructions: instructions)
            }
            if next == end { return .arrived }
        } while instructions < limit
        return .limit
    }

    /// The branch at an address, which was executed just now. It was a call if the link register has the address behind it: for any
    /// other branch there the instruction that has set the register would overlap with it.
    @inline(__always)
    private func flow(from address: UInt32) -> Flow {
        let link = registers[14]
        let isCall = link == address &+ 4 | 1 || link == address &+ 2 | 1
        return Flow(kind: isCall ? .call(returnAddress: link & ~1) : .jump, target: next)
    }

    /// A register: 13 is the stack pointer, 14 the link register.
    package func register(_ number: UInt8) -> UInt32 { registers[number] }

    /// A byte of memory; nil where there is none.
    package func byte(at address: UInt32) -> UInt8? { try? memory.load(address, as: UInt8.self) }

    /// A word of memory; nil where there is none.
    package func word(at address: UInt32) -> UInt32? { try? memory.load(address, as: UInt32.self) }

    /// Bytes of RAM or flash; nil where some of them are in neither.
    package func bytes(at address: UInt32, count: Int) -> ArraySlice<UInt8>? {
        memory.bytes(at: address, count: count)
    }

    /// Writes bytes to RAM; returns whether all of them have room there.
    package mutating func write(_ bytes: some Collection<UInt8>, at address: UInt32) -> Bool {
        memory.write(bytes, at: address)
    }

    /// Writes words to RAM, lowest byte first; returns whether all of them have room there.
    package mutating func write(words: [UInt32], at address: UInt32) -> Bool {
        memory.write(
            words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word &>> (8 * $0)) } }, at: address)
    }

    /// Goes on behind the breakpoint that it stands at, with this in register 0. That takes no time.
    package mutating func answerBreakpoint(_ result: UInt32) {
        registers[0] = result
        next &+= 2
    }

    /// Goes on behind the short instruction that waits, at which it stands.
    package mutating func wake() {
        next &+= 2
    }
}

/// A change of the flow: the next instruction is not the one behind the last.
package struct Flow: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A branch with link: where the function returns to.
        case call(returnAddress: UInt32)
        /// Any other branch.
        case jump
    }

    package let kind: Kind
    /// The address of the next instruction.
    package let target: UInt32
}

/// Hears of the flow of a program.
package protocol FlowObserver {
    /// - Parameters:
    ///   - cycles: those of the processor, the branch's included.
    ///   - instructions: those of the processor, the branch included.
    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64)
}

/// Hears nothing.
package struct NoObserver: FlowObserver {
    package init() {}

    @inline(__always)
    package mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {}
}

/// The instructions of a flash, each read once: one for every halfword, because an instruction may begin at any.
struct DecodedProgram: Sendable {
    struct Entry: Sendable {
        var instruction: Instruction
        var timing: InstructionTiming
        /// 2 or 4 bytes.
        var length: UInt8

        init(_ decoded: Decoder.Decoded) {
            instruction = decoded.instruction
            timing = InstructionTiming(decoded.instruction)
            length = decoded.length
        }
    }

    private let entries: [Entry]
    private let start: UInt32

    /// - Parameters:
    ///   - flash: its contents.
    ///   - start: its first address, an even one.
    init(_ flash: [UInt8], from start: UInt32) {
        self.start = start
        let halfwords = (0..<flash.count / 2).map { (index: Int) -> UInt16 in
            UInt16(flash[2 * index]) | UInt16(flash[2 * index + 1]) &<< 8
        }
        entries = halfwords.indices.map { (index: Int) -> Entry in
            let next: UInt16 = index + 1 < halfwords.count ? halfwords[index + 1] : 0
            return Entry(Decoder.decode(halfwords[index], next))
        }
    }

    /// The instruction at an even address; nil where the flash has none.
    @inline(__always)
    subscript(_ address: UInt32) -> Entry? {
        let index = Int((address &- start) &>> 1)
        return index < entries.count ? entries[index] : nil
    }
}

extension CortexM4 {
    /// The instruction at an address: from flash as it was read, from RAM as it is now.
    @inline(__always)
    func fetch(_ program: DecodedProgram, _ address: UInt32) throws(Trap) -> DecodedProgram.Entry {
        if let entry = program[address] { return entry }
        let first = try memory.load(address, as: UInt16.self)
        guard first >= 0xE800 else { return DecodedProgram.Entry(Decoder.decode(first, 0)) }
        return DecodedProgram.Entry(Decoder.decode(first, try memory.load(address &+ 2, as: UInt16.self)))
    }
}

/// The registers of a program, as a debugger shows them between two instructions.
package struct ProgramRegisters: Equatable, Sendable {
    /// Registers 0 to 12, the stack pointer, the link register, and the address of the next instruction.
    package var core: SIMD16<UInt32>
    /// xPSR outside of exception handlers: the flags, the IT state and the Thumb bit (B1.4.2).
    package var status: UInt32
    /// The single-precision registers.
    package var numbers: SIMD32<UInt32>
    /// FPSCR.
    package var floatStatus: UInt32

    package init(
        core: SIMD16<UInt32> = .zero, status: UInt32 = 0, numbers: SIMD32<UInt32> = .zero, floatStatus: UInt32 = 0
    ) {
        self.core = core
        self.status = status
        self.numbers = numbers
        self.floatStatus = floatStatus
    }
}

extension CortexM4 {
    /// What the program sees at present.
    package var programRegisters: ProgramRegisters {
        var shown = ProgramRegisters(
            status: flags.word | 1 << 24 | UInt32(ifThen & 3) << 25 | UInt32(ifThen >> 2) << 10,
            floatStatus: float.word)
        for number in 0..<15 { shown.core[number] = registers[number] }
        shown.core[15] = next
        for number in 0..<32 { shown.numbers[number] = numbers[number] }
        return shown
    }

    /// Begins with these flags instead of none: what they are after a reset is not defined (B1.4.2).
    ///
    /// - Parameter status: an xPSR, of which bits 31 to 27 and 19 to 16 count.
    package mutating func begin(withFlagsOf status: UInt32) {
        flags.word = status & 0xF80F_0000
    }
}

/// Why an instruction was not executed.
package enum Trap: Error, Equatable, Sendable {
    /// It is none that the processor has.
    case undefined
    /// An access of this address that has to be aligned and is not.
    case unaligned(UInt32)
    /// There is nothing at this address that could be read or written so.
    case bus(UInt32)
    /// The memory protection unit lets nobody access this address.
    case forbidden(UInt32)
    /// A branch to an address that is even, which would be one to the Arm instruction set.
    case invalidState
    /// The floating-point unit is off.
    case noCoprocessor
    case breakpoint(UInt8)
    case supervisorCall(UInt8)
    /// It waits, for an interrupt or an event: nobody here knows how long.
    case waits(For)

    /// What an instruction waits for.
    package enum For: Sendable {
        /// WFI.
        case interrupt
        /// WFE.
        case event
    }
}
