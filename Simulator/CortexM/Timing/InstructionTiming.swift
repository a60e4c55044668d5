/// What the cycles of an instruction follow from, read off once.
struct InstructionTiming: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case plain
        /// One register from memory: it overlaps with another load behind it.
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

        /// Whether an instruction that was executed is a branch that was taken. A conditional branch to the instruction
        /// behind it counts as one that was not: it comes to the same.
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
    /// The cycles without what depends on its surroundings.
    var cycles: UInt8
    /// A bit for each register that its address is made of, and for each that it writes.
    var addressed: UInt16 = 0
    var written: UInt16 = 0

    init(_ instruction: Instruction) {
        (kind, cycles) = (.plain, 1)
        switch instruction {
        case .arithmetic(let arithmetic):
            written = InstructionTiming.mask(arithmetic.destination)
            if arithmetic.operation.hasDestination, arithmetic.destination == 15 { kind = .register }
        case .shift(let shift): written = InstructionTiming.mask(shift.destination)
        case .moveHalf(let register, _, _), .address(let register, _): written = InstructionTiming.mask(register)
        case .access(let access): set(access)
        case .dual(let access):
            cycles = 3
            addressed = InstructionTiming.mask(access.base)
        case .multiple(let access): set(access)
        case .exclusive(.load), .exclusive(.store): cycles = 2
        case .exclusive(.clear): break
        case .branch(let branch): set(branch)
        case .multiply(let multiply): written = InstructionTiming.mask(multiply.destination)
        case .divide: kind = .divide
        case .bitField(let field): written = InstructionTiming.mask(field.destination)
        case .extend(let field): written = InstructionTiming.mask(field.destination)
        case .bits(_, let destination, _), .select(let destination, _, _):
            written = InstructionTiming.mask(destination)
        case .saturate, .saturatingAdd, .pack, .parallel, .absoluteDifferences: break
        case .float(let instruction): cycles = InstructionTiming.cycles(instruction)
        case .system(let system): set(system)
        case .undefined: break
        }
    }

    private static func mask(_ register: Register) -> UInt16 { 1 &<< UInt16(register) }

    /// A register that is added to the base of a store takes a cycle to be read (section 3.3.2).
    private mutating func set(_ access: MemoryAccess) {
        addressed = InstructionTiming.mask(access.base)
        if case .register(let register, _) = access.offset { addressed |= InstructionTiming.mask(register) }
        switch access.kind {
        case .loadWord, .loadHalfword, .loadByte, .loadSignedHalfword, .loadSignedByte:
            (kind, cycles) = (access.register == 15 ? .loaded : .load, 2)
            written = InstructionTiming.mask(access.register)
        case .storeWord, .storeHalfword, .storeByte:
            kind = .store
            if case .register = access.offset { cycles = 2 }
        }
    }

    private mutating func set(_ access: MultipleAccess) {
        cycles = UInt8(1 + access.registers.nonzeroBitCount)
        addressed = InstructionTiming.mask(access.base)
        if access.direction == .load, access.registers &>> 15 != 0 { kind = .loaded }
    }

    private mutating func set(_ branch: Branch) {
        switch branch {
        case .relative(_, .always), .link: kind = .direct
        case .relative, .whenZero, .whenNonzero: kind = .conditional
        case .register, .linkRegister: kind = .register
        // Two for the entry of the table and one for the sum, and then the refill.
        case .table: (kind, cycles) = (.loaded, 3)
        }
    }

    private mutating func set(_ system: SystemInstruction) {
        switch system {
        case .ifThen: kind = .ifThen
        case .barrier: kind = .barrier
        // 1 or 2 (table 3-1); the longer is assumed.
        case .write, .mask: cycles = 2
        case .none, .waitForInterrupt, .waitForEvent, .sendEvent, .breakpoint, .supervisorCall, .read: break
        }
    }

    /// Table 7-1.
    private static func cycles(_ instruction: FloatInstruction) -> UInt8 {
        switch instruction {
        case .arithmetic(let operation, _, _, _):
            switch operation {
            case .add, .subtract, .multiply, .multiplyNegated: 1
            case .divide: 14
            case .multiplyThenAdd, .multiplyThenSubtract, .negatedMultiplyThenAdd, .negatedMultiplyThenSubtract,
                .fusedAdd, .fusedSubtract, .negatedFusedAdd, .negatedFusedSubtract:
                3
            }
        case .single(.squareRoot, _, _): 14
        case .single, .constant, .compare, .compareZero, .toInteger, .fromInteger, .toFixed, .fromFixed, .toHalf,
            .fromHalf, .fromCore, .toCore, .readStatus, .writeStatus:
            1
        case .pairFromCore, .pairToCore: 2
        case .access(let access): 1 + access.count
        }
    }
}
