/// How many cycles the core takes for its instructions if memory has no wait states.
///
/// Source: Cortex-M4 Technical Reference Manual (Arm 100166_0001_00), tables 3-1, 3-2 and 7-1, section 3.3.2. What the manual
/// leaves open is marked as an assumption.
package struct CoreTiming: Equatable, Sendable {
    /// Cycles that refill the pipeline after a branch. The manual says 1 to 3, depending on the target's alignment and width and
    /// on whether the core knows the address early (table 3-1, P). Which branch takes how many is an assumption.
    package struct Refill: Equatable, Sendable {
        /// B, BL and CBZ, whose target is in the instruction.
        package var direct: UInt64
        /// BX, BLX and results in the program counter.
        package var register: UInt64
        /// A program counter that was loaded from memory.
        package var loaded: UInt64
        /// More for a target of 32 bits that is not aligned to a word, which takes two fetches.
        package var unalignedTarget: UInt64
    }

    package var refill: Refill
    /// A division takes 2 to 12 (table 3-1). It is assumed to grow with the bits of the quotient.
    package var shortestDivision: UInt64
    package var longestDivision: UInt64
    /// What a load or a store waits if its address is the result of the instruction before. An assumption for stores: section 3.3.2
    /// says so of loads.
    package var addressStall: UInt64
    /// A number of the part, not of the core.
    package var flash = FlashTiming.immediate

    package static let cortexM4 = CoreTiming(
        refill: Refill(direct: 1, register: 2, loaded: 3, unalignedTarget: 1), shortestDivision: 2,
        longestDivision: 12, addressStall: 1)

    /// The fewest cycles that the manual allows for.
    package static let shortest = CoreTiming(
        refill: Refill(direct: 1, register: 1, loaded: 1, unalignedTarget: 0), shortestDivision: 2,
        longestDivision: 2, addressStall: 0)

    /// The most: three to refill the pipeline, whatever the branch and its target are.
    package static let longest = CoreTiming(
        refill: Refill(direct: 3, register: 3, loaded: 3, unalignedTarget: 0), shortestDivision: 12,
        longestDivision: 12, addressStall: 1)

    /// - Parameter bits: those of the quotient, 0 to 32.
    func division(bits: UInt64) -> UInt64 {
        shortestDivision + (bits * (longestDivision - shortestDivision) + 31) / 32
    }
}

/// Adds up the cycles of instructions, which depend on the instruction before.
struct CycleCounter: Equatable, Sendable {
    private(set) var cycles: UInt64 = 0
    /// How many cycles fewer and more the manual allows.
    private(set) var fewer: UInt64 = 0
    private(set) var more: UInt64 = 0
    private let timing: CoreTiming
    private let shortest = CoreTiming.shortest
    private let longest = CoreTiming.longest
    // Of the instruction before.
    private var length: UInt32 = 4
    private var wasLoad = false
    private var written: UInt16 = 0

    init(_ timing: CoreTiming) {
        self.timing = timing
    }

    /// Counts an instruction that was executed.
    ///
    /// - Parameters:
    ///   - isTaken: whether it is a branch that was taken.
    ///   - isSplit: whether the branch's target takes two fetches.
    ///   - quotientBits: of a division.
    @inline(__always)
    mutating func count(
        _ instruction: TimingClass, length: UInt32, isTaken: Bool, isSplit: Bool, quotientBits: UInt64
    ) {
        var spent = UInt64(instruction.cycles)
        let isWaiting = instruction.addressed & written != 0
        switch instruction.kind {
        case .plain: break
        case .load: spent = load(isWaiting)
        case .store: if isWaiting { spent &+= stall }
        case .conditional, .direct: if isTaken { spent &+= refill(.direct, isSplit) }
        case .register: spent &+= refill(.register, isSplit)
        case .loaded: spent &+= refill(.loaded, isSplit)
        case .divide:
            spent = between(
                shortest.division(bits: quotientBits), timing.division(bits: quotientBits),
                longest.division(bits: quotientBits))
        // It is folded into a 16-bit instruction before it (section 3.3.2).
        case .ifThen: if self.length == 2 { spent = 0 }
        case .barrier: spent &+= refill(.loaded, false)
        }
        cycles &+= spent
        wasLoad = instruction.kind == .load
        written = instruction.written
        self.length = length
    }

    /// Notes what the manual leaves open, and returns what is assumed.
    @inline(__always)
    private mutating func between(_ fewest: UInt64, _ assumed: UInt64, _ most: UInt64) -> UInt64 {
        fewer &+= assumed &- fewest
        // What is assumed may lie above it: the subtraction wraps, and the sum is right again.
        more &+= most &- assumed
        return assumed
    }

    private enum Branch {
        case direct, register, loaded
    }

    @inline(__always)
    private mutating func refill(_ branch: Branch, _ isSplit: Bool) -> UInt64 {
        func cycles(_ refill: CoreTiming.Refill) -> UInt64 {
            let target = isSplit ? refill.unalignedTarget : 0
            return switch branch {
            case .direct: refill.direct &+ target
            case .register: refill.register &+ target
            case .loaded: refill.loaded &+ target
            }
        }
        return between(cycles(shortest.refill), cycles(timing.refill), cycles(longest.refill))
    }

    @inline(__always)
    private var stall: UInt64 {
        mutating get { between(shortest.addressStall, timing.addressStall, longest.addressStall) }
    }

    /// A load takes two cycles, or one if it follows another load whose result is not its address.
    @inline(__always)
    private mutating func load(_ isWaiting: Bool) -> UInt64 {
        switch (wasLoad, isWaiting) {
        case (true, false): 1
        case (true, true), (false, false): 2
        case (false, true): 2 &+ stall
        }
    }

    /// Counts an instruction whose condition did not hold.
    mutating func skip(length: UInt32) {
        cycles &+= 1
        (wasLoad, written) = (false, 0)
        self.length = length
    }
}

/// What the cycles of an instruction depend on, found once when it is decoded.
struct TimingClass: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case plain
        /// One register from memory, which the next load may overlap with.
        case load
        case store
        /// B with a condition, CBZ and CBNZ.
        case conditional
        /// A branch to an address in the instruction, and one to an address in a register.
        case direct, register
        /// A branch to an address from memory.
        case loaded
        case divide
        case ifThen
        /// ISB refills the pipeline.
        case barrier

        /// Whether an executed instruction is a branch that was taken. A conditional branch to the next instruction counts as not
        /// taken, which makes no difference.
        @inline(__always)
        func isTaken(goesElsewhere: Bool) -> Bool {
            switch self {
            case .plain, .load, .store, .divide, .ifThen, .barrier: false
            case .direct, .register, .loaded: true
            case .conditional: goesElsewhere
            }
        }
    }

    var kind: Kind
    /// Without what depends on other instructions.
    var cycles: UInt8
    /// A bit for each register that the address is made of, and for each that is written.
    var addressed: UInt16 = 0
    var written: UInt16 = 0

    init(_ instruction: Instruction) {
        (kind, cycles) = (.plain, 1)
        let destination = TimingClass.mask(instruction.destination)
        switch instruction.operation {
        case .arithmetic(let arithmetic):
            written = destination
            if arithmetic.hasDestination, instruction.destination == 15 { kind = .register }
        case .shift, .moveHalf, .address, .multiply, .bitField, .extend, .bits, .select: written = destination
        case .access(let access): set(access, instruction)
        case .dual:
            cycles = 3
            addressed = TimingClass.mask(instruction.first)
        case .multiple(let direction, _):
            cycles = UInt8(1 + instruction.constant.nonzeroBitCount)
            addressed = TimingClass.mask(instruction.first)
            if direction == .load, instruction.constant &>> 15 != 0 { kind = .loaded }
        case .loadExclusive, .storeExclusive: cycles = 2
        case .branch(let branch): set(branch)
        case .divide: kind = .divide
        case .saturate, .saturateHalfwords, .saturatingAdd, .pack, .parallel, .absoluteDifferences, .clearExclusive,
            .undefined:
            break
        case .float(let operation): cycles = TimingClass.cycles(operation, instruction)
        case .system(let system): set(system)
        }
    }

    private static func mask(_ register: Register) -> UInt16 { 1 &<< UInt16(register) }

    /// A register that is added to the base of a store takes a cycle to be read (section 3.3.2).
    private mutating func set(_ access: MemoryAccess, _ instruction: Instruction) {
        addressed = TimingClass.mask(instruction.first)
        if instruction.source == .register { addressed |= TimingClass.mask(instruction.second) }
        switch access {
        case .loadWord, .loadHalfword, .loadByte, .loadSignedHalfword, .loadSignedByte:
            (kind, cycles) = (instruction.destination == 15 ? .loaded : .load, 2)
            written = TimingClass.mask(instruction.destination)
        case .storeWord, .storeHalfword, .storeByte:
            kind = .store
            if instruction.source == .register { cycles = 2 }
        }
    }

    private mutating func set(_ branch: Branch) {
        switch branch {
        case .always, .link: kind = .direct
        case .conditional, .whenZero, .whenNonzero: kind = .conditional
        case .register, .linkRegister: kind = .register
        // Two for the entry of the table and one for the sum, and then the refill.
        case .byteTable, .halfwordTable: (kind, cycles) = (.loaded, 3)
        }
    }

    private mutating func set(_ system: SystemOperation) {
        switch system {
        case .ifThen: kind = .ifThen
        case .barrier: kind = .barrier
        // 1 or 2 (table 3-1); 2 is assumed.
        case .write, .mask, .unmask: cycles = 2
        case .none, .waitForInterrupt, .waitForEvent, .sendEvent, .breakpoint, .supervisorCall, .read: break
        }
    }

    /// Table 7-1.
    private static func cycles(_ operation: FloatOperation, _ instruction: Instruction) -> UInt8 {
        switch operation {
        case .add, .subtract, .multiply, .multiplyNegated, .move, .constant, .absolute, .negate, .compare, .compareZero,
            .toInteger, .fromInteger, .toFixed, .fromFixed, .toHalf, .fromHalf, .fromCore, .toCore, .readStatus,
            .writeStatus:
            1
        case .divide, .squareRoot: 14
        case .multiplyThenAdd, .multiplyThenSubtract, .negatedMultiplyThenAdd, .negatedMultiplyThenSubtract, .fusedAdd,
            .fusedSubtract, .negatedFusedAdd, .negatedFusedSubtract:
            3
        case .pairFromCore, .pairToCore: 2
        case .access(_, let count): 1 + count
        case .multiple: 1 + UInt8(truncatingIfNeeded: instruction.constant)
        }
    }
}
