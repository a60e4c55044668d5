/// The stack pointer that register 13 holds.
enum StackChoice: Sendable {
    case main, process
}

/// An emulated Cortex-M4 with its memory. It is a value type: a copy saves its state, an assignment restores it.
package struct CortexM4: Sendable {
    /// R0 to R15. While an instruction executes, R15 holds its address plus 4.
    var registers: InlineArray<16, UInt32> = .init(repeating: 0)
    var flags = Flags()
    /// The single-precision registers S0 to S31, as bits.
    var numbers: InlineArray<32, UInt32> = .init(repeating: 0)
    var float = FloatStatus()
    /// The IT state (A7.3.3): the conditions of up to four instructions that follow. It is 0 outside an IT block.
    var ifThen: UInt8 = 0
    var masks = MaskRegisters()
    var stackChoice = StackChoice.main
    /// The stack pointer that is not in register 13.
    var otherStack: UInt32 = 0
    /// The address of the next instruction.
    package internal(set) var next: UInt32 = 0
    package var memory: MemoryMap
    /// Whether the next store exclusive succeeds: a load exclusive has set the local monitor (A3.4).
    var isExclusive = false
    /// The magnitudes of the last division's operands, which determine its cycles.
    var division: (dividend: UInt32, divisor: UInt32) = (0, 0)
    /// Whether the last load read flash.
    private var readsFlash = false
    let program: DecodedProgram
    private var counter: CycleCounter
    var instructionFetch: InstructionFetch
    private var cycleRegisters = CycleRegisters()
    /// The number of executed instructions. Instructions of an IT block whose condition is false count too.
    package private(set) var instructions: UInt64 = 0

    /// Creates a processor that is about to execute its first instruction, at `entry`.
    package init(memory: MemoryMap, entry: UInt32, stack: UInt32, timing: CoreTiming = .cortexM4) {
        self.memory = memory
        program = DecodedProgram(memory.flash, from: memory.flashStart)
        counter = CycleCounter(timing)
        instructionFetch = InstructionFetch(timing.flash)
        next = entry & ~1
        registers[13] = stack & ~3
        // The link register is 0xFFFF_FFFF after a reset (B1.5.5).
        registers[14] = .max
    }

    /// Executes one instruction. Returns whether it was a branch that the program took. If it throws a trap, the next call
    /// executes the same instruction again.
    @discardableResult
    package mutating func step() throws(Trap) -> Bool {
        let address = next
        let entry: DecodedProgram.Entry
        if let decoded = program[address] {
            entry = decoded
            instructionFetch.fetch(address)
        } else {
            entry = try decodeRAM(address)
        }
        registers[15] = address &+ 4
        next = address &+ UInt32(entry.length)
        let isTaken: Bool
        do throws(Trap) {
            if ifThen == 0 {
                try execute(entry.instruction)
                isTaken = count(entry, address)
            } else {
                isTaken = try executeInBlock(entry, address)
            }
        } catch {
            next = address
            throw error
        }
        instructions &+= 1
        return isTaken
    }

    /// Executes an instruction of an IT block if its condition is true.
    private mutating func executeInBlock(
        _ entry: DecodedProgram.Entry, _ address: UInt32
    ) throws(Trap) -> Bool {
        let state = ifThen
        var isTaken = false
        let condition = Condition(rawValue: state &>> 4) ?? .always
        if flags.satisfy(condition) {
            try execute(entry.instruction)
            isTaken = count(entry, address)
        } else {
            counter.skip(length: entry.length)
        }
        // Moves the IT state to the next instruction (A7.3.3, ITAdvance).
        ifThen = state & 7 == 0 ? 0 : state & 0xE0 | state &<< 1 & 0x1F
        return isTaken
    }

    // MARK: Cycles

    /// Cycles since the first instruction, including waits for flash.
    package var cycles: UInt64 { counter.cycles &+ instructionFetch.waited }

    /// The fewest and the most cycles that the manual allows for the executed instructions.
    package var cycleBounds: ClosedRange<UInt64> { cycles &- counter.fewer...cycles &+ counter.more }

    /// Loads a number for the program. If it is in flash, the wait cycles count.
    @inline(__always)
    mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
        _ address: UInt32, as type: Number.Type
    ) throws(Trap) -> Number {
        readsFlash = memory.isFlash(address)
        if readsFlash { instructionFetch.read() }
        do throws(Trap) {
            return try memory.load(address, as: type)
        } catch {
            return try readCycles(address, error)
        }
    }

    @inline(never)
    private func readCycles<Number: FixedWidthInteger>(_ address: UInt32, _ trap: Trap) throws(Trap) -> Number {
        guard MemoryLayout<Number>.size == 4, let word = cycleRegisters.word(at: address, cycles: cycles) else {
            throw trap
        }
        return Number(truncatingIfNeeded: word)
    }

    @inline(__always)
    mutating func write(_ word: UInt32, at address: UInt32) throws(Trap) {
        do throws(Trap) {
            try memory.store(word, at: address)
        } catch {
            guard cycleRegisters.write(word, at: address, cycles: cycles) else { throw error }
        }
    }

    @inline(__always)
    private mutating func count(_ entry: DecodedProgram.Entry, _ address: UInt32) -> Bool {
        let isTaken = entry.timing.kind.isTaken(goesElsewhere: next != address &+ UInt32(entry.length))
        let isSplit = isTaken && program[next]?.isUnaligned == true
        counter.count(entry, isTaken: isTaken, isSplit: isSplit, readsFlash: readsFlash, division: division)
        return isTaken
    }
}

extension CortexM4 {
    /// The reason why a run ended.
    package enum Pause: Equatable, Sendable {
        case arrived, limit
    }

    /// Executes at least one instruction, until the run reaches `limit` or `end`.
    ///
    /// - Parameters:
    ///   - limit: the value of `instructions` at which the run stops.
    ///   - end: the address at which the run stops.
    @inline(__always)
    package mutating func run<Observer: FlowObserver>(
        upTo limit: UInt64, until end: UInt32, _ observer: inout Observer
    ) throws(Trap) -> Pause {
        repeat {
            let address = next
            if try step() {
                observer.moved(flow(from: address), cycles: cycles, instructions: instructions)
            }
            if next == end { return .arrived }
        } while instructions < limit
        return .limit
    }

    /// Describes the branch that was just executed at `address`. It is a call if the link register holds the address of the
    /// instruction after it. A later branch cannot match: the instruction that set the link register would overlap with it.
    @inline(__always)
    private func flow(from address: UInt32) -> Flow {
        let link = registers[14]
        let isCall = link == address &+ 4 | 1 || link == address &+ 2 | 1
        return Flow(kind: isCall ? .call(returnAddress: link & ~1) : .jump, target: next)
    }

    /// Returns a register of the core. 13 is the stack pointer, 14 the link register.
    package func register(_ number: UInt8) -> UInt32 { registers[number] }

    /// Writes `result` to register 0, and continues after the breakpoint at which the processor stands. That takes no cycles.
    package mutating func answerBreakpoint(_ result: UInt32) {
        registers[0] = result
        next &+= 2
    }

    /// Continues after the 16-bit WFI or WFE at which the processor stands.
    package mutating func wake() {
        next &+= 2
    }
}

/// A branch that was taken.
package struct Flow: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A branch with link, which sets the link register.
        case call(returnAddress: UInt32)
        case jump
    }

    package let kind: Kind
    package let target: UInt32
}

/// Receives each branch that a program takes.
package protocol FlowObserver {
    /// `cycles` and `instructions` count from the first instruction to this branch, including it.
    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64)
}

struct NoObserver: FlowObserver {
    @inline(__always)
    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {}
}

/// The instructions of a flash, decoded once. There is one for each halfword, because an instruction may begin at any halfword.
struct DecodedProgram: Sendable {
    struct Entry: Sendable {
        var instruction: Instruction
        var timing: TimingClass
        /// Length in bytes: 2 or 4.
        var length: UInt8
        /// Whether the instruction has 4 bytes and is not word-aligned.
        var isUnaligned: Bool

        init(_ decoded: Decoder.Decoded, at address: UInt32) {
            instruction = decoded.instruction
            timing = TimingClass(decoded.instruction)
            length = decoded.length
            isUnaligned = length == 4 && address & 2 != 0
        }
    }

    private let entries: [Entry]
    private let start: UInt32

    /// - Parameter start: the first address of flash, which is even.
    init(_ flash: [UInt8], from start: UInt32) {
        self.start = start
        let halfwords = (0..<flash.count / 2).map { (index: Int) -> UInt16 in
            UInt16(flash[2 * index]) | UInt16(flash[2 * index + 1]) &<< 8
        }
        entries = halfwords.indices.map { (index: Int) -> Entry in
            let next: UInt16 = index + 1 < halfwords.count ? halfwords[index + 1] : 0
            return Entry(Decoder.decode(halfwords[index], next), at: start &+ UInt32(2 * index))
        }
    }

    /// The instruction at an address. Nil outside flash.
    @inline(__always)
    subscript(_ address: UInt32) -> Entry? {
        let index = Int((address &- start) &>> 1)
        return index < entries.count ? entries[index] : nil
    }
}

extension CortexM4 {
    /// Decodes an instruction in RAM, whose bytes may have changed since the last time.
    private func decodeRAM(_ address: UInt32) throws(Trap) -> DecodedProgram.Entry {
        let first = try memory.load(address, as: UInt16.self)
        let second = first < 0xE800 ? 0 : try memory.load(address &+ 2, as: UInt16.self)
        return DecodedProgram.Entry(Decoder.decode(first, second), at: address)
    }
}

/// The registers of a program between two instructions, as a debugger reads them.
package struct ProgramRegisters: Equatable, Sendable {
    /// R0 to R15. R15 holds the address of the next instruction.
    package var core = SIMD16<UInt32>.zero
    /// xPSR for thread mode: the flags, the IT state and the Thumb bit (B1.4.2).
    package var status: UInt32 = 0
    /// The single-precision registers S0 to S31, as bits.
    package var numbers = SIMD32<UInt32>.zero
    /// FPSCR, the status register of the floating-point unit.
    package var floatStatus: UInt32 = 0

    package init() {}
}

extension CortexM4 {
    package var programRegisters: ProgramRegisters {
        var shown = ProgramRegisters()
        shown.status = flags.word | 1 << 24 | UInt32(ifThen & 3) << 25 | UInt32(ifThen >> 2) << 10
        shown.floatStatus = float.word
        for number in 0..<15 { shown.core[number] = registers[number] }
        shown.core[15] = next
        for number in 0..<32 { shown.numbers[number] = numbers[number] }
        return shown
    }

    /// Sets the flags before the first instruction. After a reset they are undefined (B1.4.2).
    ///
    /// - Parameter status: an xPSR value. The processor uses bits 31 to 27 and 19 to 16.
    package mutating func begin(withFlagsOf status: UInt32) {
        flags.word = status & 0xF80F_0000
    }
}

package enum Trap: Error, Equatable, Sendable {
    case undefined
    /// An unaligned access to this address by an instruction that requires an aligned one.
    case unaligned(UInt32)
    /// An access to this address, which has no memory or does not allow this size.
    case bus(UInt32)
    /// An access to this address, which the memory protection unit guards.
    case forbidden(UInt32)
    /// A branch to an even address, which selects the Arm instruction set. The core has only Thumb.
    case invalidState
    /// A floating-point instruction while the floating-point unit is off.
    case noCoprocessor
    case breakpoint(UInt8)
    case supervisorCall(UInt8)
    /// WFI, which waits until an interrupt at an unknown time.
    case waitsForInterrupt
    /// WFE, which waits until an event at an unknown time.
    case waitsForEvent
}
