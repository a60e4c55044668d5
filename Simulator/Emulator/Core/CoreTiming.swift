/// The cycles of the core's instructions if memory has no wait states.
///
/// Source: Cortex-M4 Technical Reference Manual (Arm 100166_0001_00), tables 3-1, 3-2 and 7-1, section 3.3.2. If the manual
/// leaves cycles open, they come from measurements of parts:
/// - [1] CC2652: cmemu-tests/tests/cc2652 of mimuw-distributed-systems-group/cmemu;
/// - [2] STM32F407: "pipeline cycle test/doc/cortex_m3m4.md" of jnk0le/random;
/// - [3] compendium.i-0.nl, "Alignment rules" and "Branch timing", and Arm's article KA006138.
///
/// The result is within 0.2 % of published cycles for an STM32F407 without wait states: Embench 2.0's crc32 and matmult-int, and
/// the bitsliced AES-128 of Ko-/aes-armcortexm.
package struct CoreTiming: Equatable, Sendable {
    /// Cycles that refill the pipeline after a branch. The manual says 1 to 3, depending on the target's alignment and width and
    /// on how early the core knows the address (table 3-1, P).
    package struct Refill: Equatable, Sendable {
        /// The core knows the target while it decodes the branch: B, BL, and branches to the link register [1].
        package var direct: UInt64
        /// Other BX and BLX, CBZ [1], and results in the program counter.
        package var register: UInt64
        /// A program counter from memory. Assumed.
        package var loaded: UInt64
        /// Added for a target of 32 bits that is not aligned to a word, which takes two fetches [3].
        package var unalignedTarget: UInt64
    }

    package var refill: Refill
    /// A division takes 2 to 12 (table 3-1): 2 if an operand is 0, 3 if the quotient is 0. Otherwise it takes 5, and one more for
    /// each four bits by which the dividend is longer [1].
    package var shortestDivision: UInt64
    package var longestDivision: UInt64
    /// The stall of an instruction if
    /// - it loads or stores, and its address is the result of the instruction before (section 3.3.2, [2]);
    /// - it loads, and the instruction before stores [2];
    /// - it would overlap with the load before, but one of them reads flash and the other RAM [2];
    /// - it is the third of 32 bits in a row that is not aligned to a word [3].
    package var stall: UInt64
    /// The time of a store with a constant offset after a load that it overlaps with [2]. In the manual's examples it is 1.
    package var overlappingStore: UInt64
    /// It depends on the part, not on the core.
    package var flash = FlashTiming.immediate

    package static let cortexM4 = CoreTiming(
        refill: Refill(direct: 1, register: 2, loaded: 3, unalignedTarget: 1), shortestDivision: 2,
        longestDivision: 12, stall: 1, overlappingStore: 0)

    /// The fewest cycles that the manual allows.
    package static let shortest = CoreTiming(
        refill: Refill(direct: 1, register: 1, loaded: 1, unalignedTarget: 0), shortestDivision: 2,
        longestDivision: 2, stall: 0, overlappingStore: 0)

    /// The most cycles: three to refill the pipeline, for all branches and targets.
    package static let longest = CoreTiming(
        refill: Refill(direct: 3, register: 3, loaded: 3, unalignedTarget: 0), shortestDivision: 12,
        longestDivision: 12, stall: 1, overlappingStore: 1)

    func division(_ dividend: UInt32, by divisor: UInt32) -> UInt64 {
        if dividend == 0 || divisor == 0 { return shortestDivision }
        let longer = divisor.leadingZeroBitCount - dividend.leadingZeroBitCount
        let cycles = longer < 0 ? 3 : 5 + UInt64(longer) / 4
        return min(max(cycles, shortestDivision), longestDivision)
    }
}

/// Adds the cycles of instructions, which depend on the instruction before.
struct CycleCounter: Equatable, Sendable {
    private(set) var cycles: UInt64 = 0
    /// The manual allows from `cycles - fewer` to `cycles + more` cycles for the same instructions.
    private(set) var fewer: UInt64 = 0
    private(set) var more: UInt64 = 0
    private let timing: CoreTiming
    private let shortest = CoreTiming.shortest
    private let longest = CoreTiming.longest
    // Of the instruction before.
    private var length: UInt8 = 4
    private var kind = TimingClass.Kind.plain
    private var written: UInt16 = 0
    /// Whether the last load was from flash.
    private var readFlash = false
    /// The number of consecutive 32-bit instructions that are not aligned to a word.
    private var unaligned: UInt8 = 0

    init(_ timing: CoreTiming) {
        self.timing = timing
    }

    /// Counts an instruction that was executed.
    ///
    /// - Parameters:
    ///   - isTaken: whether it is a branch that was taken.
    ///   - isSplit: whether the branch's target takes two fetches.
    ///   - readsFlash: whether a load reads flash.
    ///   - division: for a division, the magnitudes of its operands.
    @inline(__always)
    mutating func count(
        _ instruction: EntryReference, isTaken: Bool, isSplit: Bool, readsFlash: Bool,
        division: (dividend: UInt32, divisor: UInt32)
    ) {
        var spent = UInt64(instruction.cycles)
        let isWaiting = instruction.addressed & written != 0
        unaligned = instruction.isUnaligned ? unaligned &+ 1 : 0
        if unaligned == 3 {
            unaligned = 0
            spent &+= stall
        }
        switch instruction.kind {
        case .plain: break
        case .load:
            switch kind {
            case .load where !isWaiting:
                spent &-= 1
                if readsFlash != readFlash { spent &+= stall }
            case .load: break
            case .store: spent &+= stall
            case .plain, .conditional, .zeroTest, .direct, .register, .loaded, .divide, .ifThen, .barrier:
                if isWaiting { spent &+= stall }
            }
            readFlash = readsFlash
        case .store:
            if isWaiting {
                spent &+= stall
            } else if kind == .load && !readFlash {
                spent &-= 1 &- between(shortest.overlappingStore, timing.overlappingStore, longest.overlappingStore)
            }
        case .conditional, .direct: if isTaken { spent &+= refill(.direct, isSplit) }
        case .zeroTest: if isTaken { spent &+= refill(.register, isSplit) }
        case .register: spent &+= refill(.register, isSplit)
        case .loaded: spent &+= refill(.loaded, isSplit)
        case .divide:
            spent &+= between(
                shortest.division(division.dividend, by: division.divisor),
                timing.division(division.dividend, by: division.divisor),
                longest.division(division.dividend, by: division.divisor))
        // IT is folded into a 16-bit instruction before it (section 3.3.2).
        case .ifThen: if length == 2 { spent &-= 1 }
        case .barrier: spent &+= refill(.loaded, false)
        }
        cycles &+= spent
        (kind, written, length) = (instruction.kind, instruction.written, instruction.length)
        if isTaken { unaligned = 0 }
    }

    /// Counts an instruction that is neither a branch nor an access, and that was executed.
    @inline(__always)
    mutating func countPlain(_ instruction: EntryReference) {
        cycles &+= UInt64(instruction.cycles)
        if instruction.isUnaligned {
            unaligned &+= 1
            if unaligned == 3 {
                unaligned = 0
                cycles &+= stall
            }
        } else {
            unaligned = 0
        }
        (kind, written, length) = (.plain, instruction.written, instruction.length)
    }

    /// Records the open cycles, and returns the assumed ones.
    @inline(__always)
    private mutating func between(_ fewest: UInt64, _ assumed: UInt64, _ most: UInt64) -> UInt64 {
        fewer &+= assumed &- fewest
        // `assumed` may be more than `most`: the subtraction wraps, and a later sum is right again.
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
        mutating get { between(shortest.stall, timing.stall, longest.stall) }
    }

    /// Counts cycles in which no instruction ends.
    mutating func spend(_ more: UInt64) {
        cycles &+= more
        (kind, written, length, unaligned) = (.plain, 0, 4, 0)
    }

    /// Counts an instruction whose condition is false.
    mutating func skip(length: UInt8) {
        cycles &+= 1
        (kind, written, self.length, unaligned) = (.plain, 0, length, 0)
    }
}

/// The properties of an instruction that determine its cycles, found once during decoding.
struct TimingClass: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case plain
        /// A load of one register, which the next load may overlap with.
        case load
        case store
        /// B with a condition.
        case conditional
        /// CBZ and CBNZ.
        case zeroTest
        /// A branch to an address in the instruction or the link register, and a branch to an address in another register.
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
            case .conditional, .zeroTest: goesElsewhere
            }
        }
    }

    var kind: Kind
    /// Without the effects of other instructions.
    var cycles: UInt8
    /// A bit for each register of the address, and a bit for each written register.
    var addressed: UInt16 = 0
    var written: UInt16 = 0

    init(_ instruction: Instruction) {
        (kind, cycles) = (.plain, 1)
        let destination = TimingClass.mask(instruction.destination)
        switch instruction.operation {
        case .arithmetic(let arithmetic):
            written = destination
            if arithmetic.hasDestination, instruction.destination == 15 {
                kind = arithmetic == .move && instruction.second == 14 ? .direct : .register
            }
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
        case .branch(let branch): set(branch, instruction)
        case .divide: (kind, cycles) = (.divide, 0)
        case .saturate, .saturateHalfwords, .saturatingAdd, .pack, .parallel, .absoluteDifferences, .clearExclusive,
            .undefined:
            break
        case .float(let operation): cycles = TimingClass.cycles(operation, instruction)
        case .system(let system): set(system)
        }
    }

    private static func mask(_ register: Register) -> UInt16 { 1 &<< UInt16(register) }

    /// The offset register of a store takes a cycle to be read (section 3.3.2).
    private mutating func set(_ access: MemoryAccess, _ instruction: Instruction) {
        addressed = TimingClass.mask(instruction.first)
        if instruction.source == .register { addressed |= TimingClass.mask(instruction.second) }
        if instruction.indexing != .offset { written = TimingClass.mask(instruction.first) }
        switch access {
        case .loadWord, .loadHalfword, .loadByte, .loadSignedHalfword, .loadSignedByte:
            (kind, cycles) = (instruction.destination == 15 ? .loaded : .load, 2)
            written |= TimingClass.mask(instruction.destination)
        case .storeWord, .storeHalfword, .storeByte:
            kind = .store
            if instruction.source == .register { cycles = 2 }
        }
    }

    private mutating func set(_ branch: Branch, _ instruction: Instruction) {
        switch branch {
        case .always, .link: kind = .direct
        case .conditional: kind = .conditional
        case .whenZero, .whenNonzero: kind = .zeroTest
        case .register, .linkRegister: kind = instruction.second == 14 ? .direct : .register
        // Two cycles for the entry of the table and one for the sum, and then the refill.
        case .byteTable, .halfwordTable: (kind, cycles) = (.loaded, 3)
        }
    }

    private mutating func set(_ system: SystemOperation) {
        switch system {
        case .ifThen: kind = .ifThen
        case .barrier: kind = .barrier
        // 1 or 2 (table 3-1); 2 is assumed.
        case .write, .mask, .unmask: cycles = 2
        case .none, .waitForInterrupt, .waitForEvent, .sendEvent, .breakpoint, .stop, .supervisorCall, .read: break
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
