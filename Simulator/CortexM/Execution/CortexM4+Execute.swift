extension CortexM4 {
    /// Executes an instruction whose condition holds.
    @inline(__always)
    mutating func execute(_ instruction: Instruction) throws(Trap) {
        switch instruction {
        case .arithmetic(let arithmetic): try execute(arithmetic)
        case .shift(let shift): execute(shift)
        case .moveHalf(let register, let value, .lower): registers[register] = UInt32(value)
        case .moveHalf(let register, let value, .upper):
            registers[register] = registers[register] & 0xFFFF | UInt32(value) &<< 16
        case .address(let register, let offset):
            registers[register] = (registers[15] & ~3) &+ UInt32(bitPattern: offset)
        case .access(let access): try execute(access)
        case .dual(let access): try execute(access)
        case .multiple(let access): try execute(access)
        case .exclusive(let access): try execute(access)
        case .branch(let branch): try execute(branch)
        case .multiply(let multiply): execute(multiply)
        case .divide(let division): execute(division)
        case .bitField(let field): execute(field)
        case .extend(let extension_): execute(extension_)
        case .bits(let operation, let destination, let source): execute(operation, destination, source)
        case .saturate(let saturation): execute(saturation)
        case .saturatingAdd(let addition): execute(addition)
        case .pack(let pack): execute(pack)
        case .parallel(let parallel): execute(parallel)
        case .select(let destination, let first, let second):
            let mask = ParallelArithmetic.bytes(flags.greaterOrEqual)
            registers[destination] = registers[first] & mask | registers[second] & ~mask
        case .absoluteDifferences(let differences): execute(differences)
        case .float(let instruction): try execute(instruction)
        case .system(let system): try execute(system)
        case .undefined: throw .undefined
        }
    }

    /// Whether an instruction of this kind changes the flags here.
    @inline(__always)
    func changesFlags(_ setting: FlagSetting) -> Bool {
        switch setting {
        case .never: false
        case .always: true
        case .outsideIT: !isInBlock
        }
    }

    // MARK: Arithmetic

    @inline(__always)
    private mutating func execute(_ arithmetic: Arithmetic) throws(Trap) {
        let first = registers[arithmetic.first]
        let second: UInt32
        var carry = flags.carry
        switch arithmetic.second {
        case .constant(let value): second = value
        case .rotatedConstant(let value): (second, carry) = (value, value &>> 31)
        case .register(let register, let shift):
            let shifted = Shifted(registers[register], shift.kind, by: UInt32(shift.amount), carry: carry)
            (second, carry) = (shifted.result, shifted.carry)
        }
        let changes = changesFlags(arithmetic.flags)
        let result: UInt32
        switch arithmetic.operation {
        case .and, .test: result = first & second
        case .clear: result = first & ~second
        case .or: result = first | second
        case .orNot: result = first | ~second
        case .exclusiveOr, .testEqual: result = first ^ second
        case .move: result = second
        case .moveNot: result = ~second
        case .add, .compareNegative: return try finish(arithmetic, Sum(first, second, carry: 0), changes)
        case .addCarry: return try finish(arithmetic, Sum(first, second, carry: flags.carry), changes)
        case .subtractCarry: return try finish(arithmetic, Sum(first, ~second, carry: flags.carry), changes)
        case .subtract, .compare: return try finish(arithmetic, Sum(first, ~second, carry: 1), changes)
        case .reverseSubtract: return try finish(arithmetic, Sum(~first, second, carry: 1), changes)
        }
        if changes { flags.set(result, carry: carry) }
        if arithmetic.operation.hasDestination { try write(result, to: arithmetic.destination) }
    }

    @inline(__always)
    private mutating func finish(_ arithmetic: Arithmetic, _ sum: Sum, _ changes: Bool) throws(Trap) {
        if changes { flags.set(sum) }
        if arithmetic.operation.hasDestination { try write(sum.result, to: arithmetic.destination) }
    }

    /// A result in register 15 is a branch; the stack pointer is a multiple of 4.
    @inline(__always)
    private mutating func write(_ result: UInt32, to register: Register) throws(Trap) {
        switch register {
        case 15: next = result & ~1
        case 13: registers[13] = result & ~3
        case _: registers[register] = result
        }
    }

    private mutating func execute(_ shift: RegisterShift) {
        let shifted = Shifted(
            registers[shift.source], shift.kind, by: registers[shift.amount] & 0xFF, carry: flags.carry)
        registers[shift.destination] = shifted.result
        if changesFlags(shift.flags) { flags.set(shifted.result, carry: shifted.carry) }
    }

    // MARK: Branches

    @inline(__always)
    private mutating func execute(_ branch: Branch) throws(Trap) {
        let base = registers[15]
        switch branch {
        case .relative(let offset, let condition):
            if flags.satisfy(condition) { next = base &+ UInt32(bitPattern: offset) }
        case .link(let offset):
            registers[14] = next | 1
            next = base &+ UInt32(bitPattern: offset)
        case .register(let register): try exchange(registers[register])
        case .linkRegister(let register):
            let target = registers[register]
            registers[14] = next | 1
            try exchange(target)
        case .whenZero(let register, let offset):
            if registers[register] == 0 { next = base &+ UInt32(bitPattern: offset) }
        case .whenNonzero(let register, let offset):
            if registers[register] != 0 { next = base &+ UInt32(bitPattern: offset) }
        case .table(let table, let index, let entries):
            let (start, number) = (registers[table], registers[index])
            let distance: UInt32
            switch entries {
            case .lower: distance = UInt32(try read(start &+ number, as: UInt8.self))
            case .upper: distance = UInt32(try read(start &+ number &* 2, as: UInt16.self))
            }
            next = base &+ distance &* 2
        }
    }

    /// A branch to an address whose lowest bit says that it is one to Thumb instructions, as all are here.
    mutating func exchange(_ target: UInt32) throws(Trap) {
        guard target & 1 != 0 else { throw .invalidState }
        next = target & ~1
    }

    // MARK: The processor itself

    private mutating func execute(_ system: SystemInstruction) throws(Trap) {
        switch system {
        case .none, .barrier, .sendEvent: break
        case .waitForInterrupt: throw .waits(.interrupt)
        case .waitForEvent: throw .waits(.event)
        case .ifThen(let state): ifThen = state
        case .breakpoint(let number): throw .breakpoint(number)
        case .supervisorCall(let number): throw .supervisorCall(number)
        case .read(let register, let special): registers[register] = read(special)
        case .write(let register, let special, let mask): write(registers[register], special, mask)
        case .mask(.on, let registers): masks.formUnion(registers)
        case .mask(.off, let registers): masks.subtract(registers)
        }
    }

    /// A special register (B5.2.2).
    private func read(_ special: UInt8) -> UInt32 {
        switch special {
        case 0...3: flags.word
        // MSP and PSP: one of the two is the present stack pointer.
        case 8: stackChoice == .main ? registers[13] : otherStack
        case 9: stackChoice == .process ? registers[13] : otherStack
        case 20: stackChoice == .process ? 2 : 0
        case 16: masks.contains(.primask) ? 1 : 0
        case 19: masks.contains(.faultmask) ? 1 : 0
        case _: 0
        }
    }

    private mutating func write(_ value: UInt32, _ special: UInt8, _ mask: UInt8) {
        switch special {
        case 0...3:
            if mask & 2 != 0 { flags.word = flags.word & ~0xF800_0000 | value & 0xF800_0000 }
            if mask & 1 != 0 { flags.word = flags.word & ~0x000F_0000 | value & 0x000F_0000 }
        case 8: if stackChoice == .main { registers[13] = value & ~3 } else { otherStack = value & ~3 }
        case 9: if stackChoice == .process { registers[13] = value & ~3 } else { otherStack = value & ~3 }
        case 20: choose(value & 2 == 0 ? .main : .process)
        case 16: keepOff(.primask, value)
        case 19: keepOff(.faultmask, value)
        case _: break
        }
    }

    /// Makes the other stack pointer the present one, where it is to be (B1.4.4, CONTROL.SPSEL).
    private mutating func choose(_ choice: StackChoice) {
        guard choice != stackChoice else { return }
        (registers[13], otherStack, stackChoice) = (otherStack, registers[13], choice)
    }

    private mutating func keepOff(_ register: MaskRegisters, _ value: UInt32) {
        if value & 1 != 0 { masks.insert(register) } else { masks.remove(register) }
    }
}

extension InlineArray where Element == UInt32 {
    /// The register of this number.
    @inline(__always)
    subscript(_ register: Register) -> UInt32 {
        get { self[Int(register)] }
        set { self[Int(register)] = newValue }
    }
}
