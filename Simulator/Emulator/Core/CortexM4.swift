enum StackChoice: Sendable {
    case main, process
}

/// An emulated Cortex-M4 with its memory and the chip's peripherals. A bare core has no peripherals.
///
/// It is a value type. To save the state, copy the value; to restore the state, assign the copy. Section numbers such as A7.3.3
/// are from the Armv7-M Architecture Reference Manual (see `Instruction`).
package struct CortexM4: Sendable {
    /// R0 to R15. While an instruction executes, R15 holds its address plus 4.
    var registers: InlineArray<16, UInt32> = .init(repeating: 0)
    var flags = Flags()
    /// The bit patterns of the single-precision registers S0 to S31.
    package internal(set) var numbers: InlineArray<32, UInt32> = .init(repeating: 0)
    var float = FloatStatus()
    /// FPSCR, the status register of the floating-point unit.
    package var floatStatus: UInt32 { float.word }
    /// ITSTATE (A7.3.3): the conditions of the remaining instructions of an IT block, at most four. It is 0 outside a block.
    var ifThen: UInt8 = 0
    /// Whether the core is in Thumb state (EPSR.T). If it is not, `run` raises a fault instead of executing an instruction.
    var isThumb = true
    /// IPSR: the number of the exception whose handler runs. It is 0 in Thread mode.
    package internal(set) var exceptionNumber: UInt8 = 0
    var exceptions = ExceptionController()
    var faults = FaultStatus()
    /// The first fault since the start, or since this property was last set to nil. `restart` does not clear it.
    package var faultRecord: FaultRecord?
    var floatContext = FloatContext()
    var systemTick = SystemTick()
    /// VTOR, the address of the vector table.
    var vectorTable: UInt32 = 0
    /// Whether code in Thread mode is unprivileged (CONTROL.nPRIV).
    var isUnprivileged = false
    var stackChoice = StackChoice.main
    var otherStack: UInt32 = 0
    package internal(set) var next: UInt32 = 0
    package var memory: MemoryMap
    /// The peripherals of the chip. Nil for a bare core, which has only memory, CPACR, the memory protection unit and the cycle
    /// counter. A bare core takes no exceptions: it throws a `Trap` instead.
    package var part: NRF52832?
    /// Whether the next exclusive store will succeed (A3.4).
    var isExclusive = false
    /// The magnitudes of the last division's operands, which determine its cycles.
    var division: (dividend: UInt32, divisor: UInt32) = (0, 0)
    private var readsFlash = false
    var program: DecodedProgram
    var counter: CycleCounter
    var flashWaits: FlashWaits
    var cycleRegisters = CycleRegisters()
    var trace = InstrumentationTrace()
    var activity = Activity.running
    /// Up to this cycle, `run` executes instructions without checks. Then it checks its limit, the interrupts and the
    /// peripherals. A value of 0 makes `run` check before the next instruction.
    var attention: UInt64 = 0
    /// How many of `cycles` the core spent asleep.
    package internal(set) var asleepCycles: UInt64 = 0
    /// Whether SysTick counts while the core sleeps. False for the nRF52832, which stops SysTick's clock during sleep.
    package var ticksWhileAsleep = false
    /// Whether a BKPT instruction ends a run. If not, it causes a HardFault.
    package var stopsAtBreakpoints = false
    package var stops: Set<UInt32> = [] {
        didSet {
            for address in oldValue { program.restore(memory.flash, at: address) }
            for address in stops { program.stop(at: address) }
        }
    }
    /// How many instructions the core has executed. Instructions that an IT block skipped also count.
    package internal(set) var instructions: UInt64 = 0

    /// Creates a processor that is about to execute its first instruction, at `entry`.
    package init(memory: MemoryMap, entry: UInt32, stack: UInt32, timing: CoreTiming = .cortexM4) {
        self.init(
            memory: memory, program: DecodedProgram(memory.flash, from: memory.flashStart), entry: entry, stack: stack,
            counter: CycleCounter(timing), flashWaits: FlashWaits(timing.flashWaitStates))
    }

    init(
        memory: MemoryMap, program: DecodedProgram, entry: UInt32, stack: UInt32, counter: CycleCounter,
        flashWaits: FlashWaits
    ) {
        self.memory = memory
        self.program = program
        self.counter = counter
        self.flashWaits = flashWaits
        next = entry & ~1
        registers[13] = stack & ~3
        // The link register is 0xFFFF_FFFF after a reset (B1.5.5).
        registers[14] = .max
    }

    /// Executes one instruction. Returns whether the instruction was a taken branch. After a thrown trap, the next call executes
    /// the same instruction again.
    @discardableResult
    package mutating func step() throws(Trap) -> Bool { try executeNext() }

    @inline(__always)
    mutating func executeNext() throws(Trap) -> Bool {
        let address = next
        if memory.opensFlash(address), let entry = program[address] {
            flashWaits.fetch(address)
            return try execute(entry, at: address)
        }
        let entry = try fetchElsewhere(address)
        return try withUnsafePointer(to: entry) { (pointer) throws(Trap) in
            try execute(EntryReference(pointer), at: address)
        }
    }

    @inline(__always)
    private mutating func execute(_ entry: EntryReference, at address: UInt32) throws(Trap) -> Bool {
        registers[15] = address &+ 4
        next = address &+ UInt32(entry.length)
        let isTaken: Bool
        do throws(Trap) {
            if ifThen == 0 {
                try execute(entry)
                if entry.kind == .plain {
                    counter.countPlain(entry)
                    isTaken = false
                } else {
                    isTaken = count(entry, address)
                }
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

    private mutating func executeInBlock(
        _ entry: EntryReference, _ address: UInt32
    ) throws(Trap) -> Bool {
        let state = ifThen
        var isTaken = false
        let condition = Condition(rawValue: state &>> 4) ?? .always
        if flags.satisfy(condition) {
            try execute(entry)
            isTaken = count(entry, address)
        } else {
            counter.skip(length: entry.length)
        }
        // Moves the IT state to the next instruction (A7.3.3, ITAdvance).
        ifThen = state & 7 == 0 ? 0 : state & 0xE0 | state &<< 1 & 0x1F
        return isTaken
    }

    // MARK: Cycles

    /// Cycles since the first instruction, including sleep and waits for flash.
    package var cycles: UInt64 { counter.cycles &+ flashWaits.cycles }

    package var awakeCycles: UInt64 { cycles &- asleepCycles }

    /// The fewest and the most cycles that the Cortex-M4 Technical Reference Manual allows for the instructions that took
    /// `cycles`.
    package var cycleBounds: ClosedRange<UInt64> { cycles &- counter.fewer...cycles &+ counter.more }

    @inline(__always)
    mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
        _ address: UInt32, as type: Number.Type
    ) throws(Trap) -> Number {
        readsFlash = memory.isFlash(address)
        if readsFlash { flashWaits.read() }
        do throws(Trap) {
            return try memory.load(address, as: type)
        } catch {
            return Number(truncatingIfNeeded: try readElsewhere(address, MemoryLayout<Number>.size, error))
        }
    }

    @inline(__always)
    mutating func write<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at address: UInt32
    ) throws(Trap) {
        do throws(Trap) {
            try memory.store(number, at: address)
        } catch {
            try writeElsewhere(UInt32(truncatingIfNeeded: number), address, MemoryLayout<Number>.size, error)
        }
    }

    @inline(__always)
    private mutating func count(_ entry: EntryReference, _ address: UInt32) -> Bool {
        let isTaken = entry.kind.isTaken(goesElsewhere: next != address &+ UInt32(entry.length))
        let isSplit = isTaken && program[next]?.isUnaligned == true
        counter.count(entry, isTaken: isTaken, isSplit: isSplit, readsFlash: readsFlash, division: division)
        return isTaken
    }
}

extension CortexM4 {
    package enum Pause: Equatable, Sendable {
        case arrived, limit
    }

    /// Executes at least one instruction. Stops when `instructions` reaches `limit`, or when the next instruction is at the
    /// address `end`.
    @inline(__always)
    package mutating func run<Observer: FlowObserver>(
        upTo limit: UInt64, until end: UInt32, _ observer: inout Observer
    ) throws(Trap) -> Pause {
        repeat {
            let address = next
            if try executeNext() {
                observer.moved(flow(from: address), cycles: cycles, instructions: instructions)
            }
            if next == end { return .arrived }
        } while instructions < limit
        return .limit
    }

    /// Describes the branch that the core has just executed at `address`. The branch counts as a call if the link register now
    /// holds the address 2 or 4 bytes after the branch.
    @inline(__always)
    func flow(from address: UInt32) -> Flow {
        let link = registers[14]
        let isCall = link == address &+ 4 | 1 || link == address &+ 2 | 1
        return Flow(kind: isCall ? .call(returnAddress: link & ~1) : .jump, target: next)
    }

    /// Returns the value of a register: 13 is the stack pointer, 14 the link register. For the program counter, use `next`.
    package func register(_ number: UInt8) -> UInt32 { registers[Int(number)] }

    mutating func setRegister(_ number: UInt8, to word: UInt32) {
        registers[number] = number == 13 ? word & ~3 : word
    }

    /// Writes `result` to register 0, and moves past the BKPT that the core has reached. This takes no cycles.
    package mutating func answerBreakpoint(_ result: UInt32) {
        registers[0] = result
        next &+= 2
    }

    package mutating func wake() {
        next &+= 2
    }
}

package struct Flow: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case call(returnAddress: UInt32)
        case jump
    }

    package let kind: Kind
    package let target: UInt32
}

/// Receives each branch that a program takes, each entry to and return from an exception, and each sleep of the core.
///
/// `cycles` and `instructions` are totals since the first instruction. They include the event that the call is about.
package protocol FlowObserver {
    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64)

    /// Receives an entry to an exception's handler.
    ///
    /// - Parameters:
    ///   - isChained: whether the core came from another handler by tail-chaining, without a return to the interrupted program.
    ///   - frame: the address at which the interrupted program's stack holds its registers.
    mutating func entered(
        _ exception: Int, at handler: UInt32, isChained: Bool, frame: UInt32, cycles: UInt64, instructions: UInt64)

    /// Receives a return from an exception to an interrupted program, whose registers the core has restored from `frame`.
    mutating func returned(to address: UInt32, frame: UInt32, cycles: UInt64, instructions: UInt64)

    /// Receives a period of `asleep` cycles in which the core slept. One sleep may arrive as several periods.
    mutating func slept(_ asleep: UInt64, cycles: UInt64)
}

struct NoObserver: FlowObserver {
    @inline(__always)
    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {}
}

extension CortexM4 {
    /// Fetches an instruction that is in RAM, or whose fetch needs a check, for example by the memory protection unit.
    @inline(never)
    private mutating func fetchElsewhere(_ address: UInt32) throws(Trap) -> DecodedProgram.Entry {
        guard part != nil else { return try decodeRAM(address) }
        guard memory.allows(address, 2, .execute) else { throw .instructionForbidden(address) }
        if let entry = program[address] {
            flashWaits.fetch(address)
            return entry.copy
        }
        do throws(Trap) {
            return try decodeRAM(address)
        } catch {
            throw .instructionBus(address)
        }
    }

    private func decodeRAM(_ address: UInt32) throws(Trap) -> DecodedProgram.Entry {
        let first = try memory.load(address, as: UInt16.self)
        let second = first < 0xE800 ? 0 : try memory.load(address &+ 2, as: UInt16.self)
        return DecodedProgram.Entry(Decoder.decode(first, second), at: address)
    }
}

extension CortexM4 {
    /// Sets the condition flags before the first instruction. The architecture leaves them undefined after a reset (B1.4.2).
    ///
    /// - Parameter status: an xPSR value. The core uses only bits 31 to 27 and 19 to 16.
    package mutating func begin(withFlagsOf status: UInt32) {
        flags.word = status & 0xF80F_0000
    }
}

package enum Trap: Error, Equatable, Sendable {
    case undefined
    /// An unaligned access to this address, if the instruction, a peripheral or CCR.UNALIGN_TRP requires alignment.
    case unaligned(UInt32)
    /// An access to this address, where no memory or register accepts an access of this size and privilege.
    case bus(UInt32)
    /// An access to this address that the memory protection unit forbids.
    case forbidden(UInt32)
    /// A division by zero, if CCR makes it a fault.
    case divisionByZero
    /// A branch to an even address, which would select the Arm instruction set. A Cortex-M4 does not have it.
    case invalidState
    case noCoprocessor
    case breakpoint(UInt8)
    case supervisorCall(UInt8)
    /// WFI on a bare core, which cannot know when an interrupt comes.
    case waitsForInterrupt
    /// WFE on a bare core, which cannot know when an event comes.
    case waitsForEvent
    /// A fetch from this address: `instructionBus` if no memory is there, `instructionForbidden` if the program may not execute
    /// there. A bare core throws `bus` and `forbidden` instead.
    case instructionBus(UInt32), instructionForbidden(UInt32)
    /// `watched`: an access to this address hits a debugger's watchpoint. `stopped`: the next instruction is at a debugger's
    /// breakpoint.
    case watched(UInt32), stopped
}
