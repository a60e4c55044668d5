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

    @inline(__always)
    func changesFlags(_ setting: FlagSetting) -> Bool {
        switch setting {
        case .never: false
        case .always: true
        case .outsideIT: ifThen == 0
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

    /// Branches to an address whose lowest bit says that Thumb instructions are there: the part has no others.
    mutating func exchange(_ target: UInt32) throws(Trap) {
        guard target & 1 != 0 else { throw .invalidState }
        next = target & ~1
    }

    // MARK: The processor itself

    private mutating func execute(_ system: SystemInstruction) throws(Trap) {
        switch system {
        case .none, .barrier, .sendEvent: break
        case .waitForInterrupt: throw .waitsForInterrupt
        case .waitForEvent: throw .waitsForEvent
        case .ifThen(let state): ifThen = state
        case .breakpoint(let number): throw .breakpoint(number)
        case .supervisorCall(let number): throw .supervisorCall(number)
        case .read(let register, let special): registers[register] = read(special)
        case .write(let register, let special, let mask): write(registers[register], special, mask)
        case .mask(let registers): masks.formUnion(registers)
        case .unmask(let registers): masks.subtract(registers)
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

    /// Exchanges the stack pointers if the other one is chosen (B1.4.4, CONTROL.SPSEL).
    private mutating func choose(_ choice: StackChoice) {
        guard choice != stackChoice else { return }
        (registers[13], otherStack, stackChoice) = (otherStack, registers[13], choice)
    }

    private mutating func keepOff(_ register: MaskRegisters, _ value: UInt32) {
        if value & 1 != 0 { masks.insert(register) } else { masks.remove(register) }
    }
}

extension InlineArray where Element == UInt32 {
    @inline(__always)
    subscript(_ register: Register) -> UInt32 {
        get { self[Int(register)] }
        set { self[Int(register)] = newValue }
    }
}

extension CortexM4 {
    @inline(__always)
    mutating func execute(_ access: MemoryAccess) throws(Trap) {
        let base = access.base == 15 ? registers[15] & ~3 : registers[access.base]
        let distance: UInt32
        switch access.offset {
        case .constant(let offset): distance = UInt32(bitPattern: offset)
        case .register(let register, let shift): distance = registers[register] &<< UInt32(shift)
        }
        let moved = base &+ distance
        let address = access.indexing == .after ? base : moved
        switch access.kind {
        case .loadWord, .loadHalfword, .loadByte, .loadSignedHalfword, .loadSignedByte:
            let value = try load(access.kind, address)
            if access.indexing != .offset { registers[access.base] = moved }
            try fill(access.register, value)
        case .storeWord, .storeHalfword, .storeByte:
            try store(access.kind, registers[access.register], address)
            if access.indexing != .offset { registers[access.base] = moved }
        }
    }

    /// Fills a register from memory: a load of the program counter is a branch.
    @inline(__always)
    private mutating func fill(_ register: Register, _ value: UInt32) throws(Trap) {
        switch register {
        case 15: try exchange(value)
        case 13: registers[13] = value & ~3
        case _: registers[register] = value
        }
    }

    @inline(__always)
    private mutating func load(_ kind: MemoryAccess.Kind, _ address: UInt32) throws(Trap) -> UInt32 {
        switch kind {
        case .loadWord, .storeWord: try read(address, as: UInt32.self)
        case .loadHalfword, .storeHalfword: UInt32(try read(address, as: UInt16.self))
        case .loadByte, .storeByte: UInt32(try read(address, as: UInt8.self))
        case .loadSignedHalfword: UInt32(bitPattern: Int32(try read(address, as: Int16.self)))
        case .loadSignedByte: UInt32(bitPattern: Int32(try read(address, as: Int8.self)))
        }
    }

    @inline(__always)
    private mutating func store(_ kind: MemoryAccess.Kind, _ value: UInt32, _ address: UInt32) throws(Trap) {
        switch kind {
        case .storeWord, .loadWord: try memory.store(value, at: address)
        case .storeHalfword, .loadHalfword, .loadSignedHalfword:
            try memory.store(UInt16(truncatingIfNeeded: value), at: address)
        case .storeByte, .loadByte, .loadSignedByte:
            try memory.store(UInt8(truncatingIfNeeded: value), at: address)
        }
    }

    mutating func execute(_ access: DualAccess) throws(Trap) {
        let base = access.base == 15 ? registers[15] & ~3 : registers[access.base]
        let moved = base &+ UInt32(bitPattern: access.offset)
        let address = access.indexing == .after ? base : moved
        // These accesses have to be aligned whatever CCR says (A3.2.1).
        guard address & 3 == 0 else { throw .unaligned(address) }
        switch access.direction {
        case .load:
            let lower = try read(address, as: UInt32.self)
            let upper = try read(address &+ 4, as: UInt32.self)
            if access.indexing != .offset { registers[access.base] = moved }
            (registers[access.first], registers[access.second]) = (lower, upper)
        case .store:
            try memory.store(registers[access.first], at: address)
            try memory.store(registers[access.second], at: address &+ 4)
            if access.indexing != .offset { registers[access.base] = moved }
        }
    }

    mutating func execute(_ access: MultipleAccess) throws(Trap) {
        let base = registers[access.base]
        let size = UInt32(access.registers.nonzeroBitCount) &* 4
        let (start, moved) = access.order == .after ? (base, base &+ size) : (base &- size, base &- size)
        guard start & 3 == 0 else { throw .unaligned(start) }
        var address = start
        var target: UInt32?
        var loaded = InlineArray<16, UInt32>(repeating: 0)
        var rest = access.registers
        while rest != 0 {
            let register = Register(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            switch access.direction {
            case .load: loaded[register] = try read(address, as: UInt32.self)
            case .store: try memory.store(registers[register], at: address)
            }
            address &+= 4
        }
        if access.writesBack { registers[access.base] = moved }
        guard access.direction == .load else { return }
        rest = access.registers
        while rest != 0 {
            let register = Register(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            if register == 15 { target = loaded[register] } else { registers[register] = loaded[register] }
        }
        if let target { try exchange(target) }
    }

    mutating func execute(_ access: ExclusiveAccess) throws(Trap) {
        switch access {
        case .load(let kind, let register, let base, let offset):
            let address = registers[base] &+ UInt32(bitPattern: offset)
            try align(kind, address)
            registers[register] = try load(kind, address)
            isExclusive = true
        case .store(let kind, let status, let register, let base, let offset):
            let address = registers[base] &+ UInt32(bitPattern: offset)
            try align(kind, address)
            if isExclusive { try store(kind, registers[register], address) }
            registers[status] = isExclusive ? 0 : 1
            isExclusive = false
        case .clear: isExclusive = false
        }
    }

    private func align(_ kind: MemoryAccess.Kind, _ address: UInt32) throws(Trap) {
        let mask: UInt32
        switch kind {
        case .loadWord, .storeWord: mask = 3
        case .loadHalfword, .storeHalfword, .loadSignedHalfword: mask = 1
        case .loadByte, .storeByte, .loadSignedByte: mask = 0
        }
        guard address & mask == 0 else { throw .unaligned(address) }
    }
}
