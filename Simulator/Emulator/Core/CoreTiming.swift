/// How many cycles the core's instructions take. Apart from `flashWaitStates`, the numbers are for memory without wait states.
///
/// Source: Cortex-M4 Technical Reference Manual (Arm 100166_0001_00), tables 3-1, 3-2 and 7-1, section 3.3.2. Cycles that the
/// manual leaves open come from measurements of real chips:
/// - [1] CC2652: cmemu-tests/tests/cc2652 of mimuw-distributed-systems-group/cmemu;
/// - [2] STM32F407: "pipeline cycle test/doc/cortex_m3m4.md" of jnk0le/random;
/// - [3] compendium.i-0.nl, "Alignment rules" and "Branch timing", and Arm's article KA006138.
///
/// With `cortexM4`, the cycles of three programs are within 0.2 % of those published for an STM32F407 without wait states. The
/// programs are Embench 2.0's crc32 and matmult-int, and the bitsliced AES-128 of Ko-/aes-armcortexm.
package struct CoreTiming: Equatable, Sendable {
    /// Cycles that the pipeline takes to refill after a branch. The manual says 1 to 3 (table 3-1, P). The number depends on
    /// the alignment and the width of the target instruction, and on how early the core knows the target's address.
    package struct Refill: Equatable, Sendable {
        /// Cycles after B, BL, and branches to the link register. The core knows their target while it decodes them [1].
        package var direct: UInt64
        /// Cycles after BX and BLX with a register other than the link register, after CBZ and CBNZ [1], and after instructions
        /// that compute the program counter.
        package var register: UInt64
        /// Cycles after instructions that load the program counter from memory, and after barriers. The number in `cortexM4` is
        /// an assumption.
        package var loaded: UInt64
        /// Extra cycles if the target is a 32-bit instruction that is not word-aligned, which takes two fetches [3].
        package var unalignedTarget: UInt64
    }

    package var refill: Refill
    /// The minimum and the maximum cycles of a division (table 3-1). The function `division` computes the cycles between these
    /// limits, as measured in [1].
    package var shortestDivision: UInt64
    package var longestDivision: UInt64
    /// Extra cycles of
    /// - a store after an instruction that writes a register of the store's address (section 3.3.2, [2]);
    /// - a load after an instruction, other than a load, that writes a register of the load's address (section 3.3.2, [2]);
    /// - a load after a store [2];
    /// - a load that would overlap with the previous load, if one of the two loads reads flash and the other reads RAM [2];
    /// - the third of three consecutive 32-bit instructions that are not word-aligned [3].
    package var stall: UInt64
    /// Cycles of a store that has a constant offset and overlaps with the load before it [2]. The manual's examples give 1.
    package var overlappingStore: UInt64
    /// Extra cycles whenever the core fetches a line of 16 bytes of instructions from flash, or reads data from flash.
    package var flashWaitStates: UInt64 = 0

    package static let cortexM4 = CoreTiming(
        refill: Refill(direct: 1, register: 2, loaded: 3, unalignedTarget: 1), shortestDivision: 2,
        longestDivision: 12, stall: 1, overlappingStore: 0)

    /// The minimum cycles that the manual allows.
    package static let shortest = CoreTiming(
        refill: Refill(direct: 1, register: 1, loaded: 1, unalignedTarget: 0), shortestDivision: 2,
        longestDivision: 2, stall: 0, overlappingStore: 0)

    /// The maximum cycles that the manual allows. Every refill takes 3 cycles, whatever the branch and its target.
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

/// Adds up the cycles of executed instructions. The cycles of an instruction also depend on the instruction before it.
struct CycleCounter: Equatable, Sendable {
    private(set) var cycles: UInt64 = 0
    /// The manual allows from `cycles - fewer` to `cycles + more` cycles for the counted instructions.
    private(set) var fewer: UInt64 = 0
    private(set) var more: UInt64 = 0
    private let timing: CoreTiming
    private let shortest = CoreTiming.shortest
    private let longest = CoreTiming.longest
    // The previous instruction: its length in bytes, its kind, and a bit for each register that it wrote.
    private var length: UInt8 = 4
    private var kind = TimingClass.Kind.plain
    private var written: UInt16 = 0
    private var readFlash = false
    /// How many consecutive 32-bit instructions, up to the previous instruction, were not word-aligned. The count starts again
    /// after three such instructions and after a taken branch.
    private var unaligned: UInt8 = 0

    init(_ timing: CoreTiming) {
        self.timing = timing
    }

    /// Counts an executed instruction.
    ///
    /// - Parameters:
    ///   - isTaken: whether the instruction is a branch that the program takes.
    ///   - isSplit: whether the branch's target takes two fetches.
    ///   - readsFlash: for a load, whether it reads flash.
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
        // After a 16-bit instruction, IT takes no cycle of its own (section 3.3.2).
        case .ifThen: if length == 2 { spent &-= 1 }
        case .barrier: spent &+= refill(.loaded, false)
        }
        cycles &+= spent
        (kind, written, length) = (instruction.kind, instruction.written, instruction.length)
        if isTaken { unaligned = 0 }
    }

    /// Counts an executed instruction of the kind `plain`.
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

    /// Returns `assumed`, and updates `fewer` and `more`. The manual allows from `fewest` to `most` cycles.
    @inline(__always)
    private mutating func between(_ fewest: UInt64, _ assumed: UInt64, _ most: UInt64) -> UInt64 {
        fewer &+= assumed &- fewest
        // `assumed` may exceed `most`. The wrapping addition then subtracts the difference from `more`.
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

    /// Counts cycles in which the core executes no instruction, such as those of an exception entry or of sleep.
    mutating func spend(_ more: UInt64) {
        cycles &+= more
        (kind, written, length, unaligned) = (.plain, 0, 4, 0)
    }

    mutating func skip(length: UInt8) {
        cycles &+= 1
        (kind, written, self.length, unaligned) = (.plain, 0, length, 0)
    }
}

/// The properties of an instruction that determine its cycles. They are computed once, during decoding.
struct TimingClass: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case plain
        /// A load of one register. The next load or store may overlap with it.
        case load
        case store
        case conditional
        case zeroTest
        /// `direct` is a branch to an address in the instruction or in the link register. `register` is a branch to an address
        /// that is in another register or that the instruction computes.
        case direct, register
        case loaded
        case divide
        case ifThen
        case barrier

        /// Returns whether an executed instruction of this kind is a taken branch.
        ///
        /// - Parameter goesElsewhere: whether the program continues at an address other than the following instruction's.
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
    /// Cycles of the instruction alone, without stalls, overlaps and refills.
    var cycles: UInt8
    /// `addressed` is the set of registers that form the address of an access, `written` the set of registers that the
    /// instruction writes. Bit n is register n.
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
        case .access(let access), .unprivilegedAccess(let access): set(access, instruction)
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

    /// Sets the kind, the cycles and the registers of a load or a store. A store with a register offset takes one cycle more
    /// than other stores (section 3.3.2).
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
        // Two cycles load the entry of the table, one adds it to the program counter, and then the pipeline refills.
        case .byteTable, .halfwordTable: (kind, cycles) = (.loaded, 3)
        }
    }

    private mutating func set(_ system: SystemOperation) {
        switch system {
        case .ifThen: kind = .ifThen
        case .barrier: kind = .barrier
        // The manual says 1 or 2 cycles (table 3-1). 2 is an assumption.
        case .write, .mask, .unmask: cycles = 2
        case .none, .waitForInterrupt, .waitForEvent, .sendEvent, .breakpoint, .stop, .supervisorCall, .read: break
        }
    }

    /// Returns the cycles of a floating-point instruction (table 7-1).
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
