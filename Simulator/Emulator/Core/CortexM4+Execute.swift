extension CortexM4 {
    @inline(__always)
    mutating func execute(_ instruction: EntryReference) throws(Trap) {
        switch instruction.operation {
        case .arithmetic(let arithmetic): try execute(arithmetic, instruction)
        case .shift(let kind): shift(kind, instruction)
        case .moveHalf(.lower): registers[instruction.destination] = instruction.constant
        case .moveHalf(.upper):
            let lower = registers[instruction.destination] & 0xFFFF
            registers[instruction.destination] = lower | instruction.constant &<< 16
        case .address: registers[instruction.destination] = (registers[15] & ~3) &+ instruction.constant
        case .access(let kind): try access(kind, instruction)
        case .unprivilegedAccess(let kind): try unprivilegedAccess(kind, instruction)
        case .dual(let direction): try dual(direction, instruction)
        case .multiple(let direction, let order): try multiple(direction, order, instruction)
        case .loadExclusive(let kind): try loadExclusive(kind, instruction)
        case .storeExclusive(let kind): try storeExclusive(kind, instruction)
        case .clearExclusive: isExclusive = false
        case .branch(let branch): try execute(branch, instruction)
        case .multiply(let multiply): execute(multiply, instruction)
        case .divide(let signedness): try divide(signedness, instruction)
        case .bitField(let operation): execute(operation, instruction)
        case .extend(let part, let signedness): extend(part, signedness, instruction)
        case .bits(let operation): execute(operation, instruction)
        case .saturate(let signedness): saturate(signedness, instruction)
        case .saturateHalfwords(let signedness): saturateHalfwords(signedness, instruction)
        case .saturatingAdd(let addition): execute(addition, instruction)
        case .pack(let half): pack(half, instruction)
        case .parallel(let operation, let result, let signedness):
            execute(operation, Lanes(result: result, signedness: signedness), instruction)
        case .select:
            let mask = Lanes.bytes(flags.greaterOrEqual)
            registers[instruction.destination] =
                registers[instruction.first] & mask | registers[instruction.second] & ~mask
        case .absoluteDifferences: addAbsoluteDifferences(instruction)
        case .float(let operation): try execute(operation, instruction)
        case .system(let operation): try execute(operation, instruction)
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
    private mutating func execute(_ arithmetic: Arithmetic, _ instruction: EntryReference) throws(Trap) {
        let first = registers[instruction.first]
        var second = instruction.constant
        var carry = flags.carry
        switch instruction.source {
        case .constant: break
        case .rotatedConstant: carry = second &>> 31
        case .register:
            let shifted = shifted(instruction)
            (second, carry) = (shifted.result, shifted.carry)
        }
        let result: UInt32
        switch arithmetic {
        case .and, .test: result = first & second
        case .clear: result = first & ~second
        case .or: result = first | second
        case .orNot: result = first | ~second
        case .exclusiveOr, .testEqual: result = first ^ second
        case .move: result = second
        case .moveNot: result = ~second
        case .add, .compareNegative: return try finish(arithmetic, instruction, Sum(first, second, carry: 0))
        case .addCarry: return try finish(arithmetic, instruction, Sum(first, second, carry: flags.carry))
        case .subtractCarry: return try finish(arithmetic, instruction, Sum(first, ~second, carry: flags.carry))
        case .subtract, .compare: return try finish(arithmetic, instruction, Sum(first, ~second, carry: 1))
        case .reverseSubtract: return try finish(arithmetic, instruction, Sum(~first, second, carry: 1))
        }
        if changesFlags(instruction.flags) { flags.set(result, carry: carry) }
        if arithmetic.hasDestination { try write(result, to: instruction.destination) }
    }

    @inline(__always)
    private mutating func finish(_ arithmetic: Arithmetic, _ instruction: EntryReference, _ sum: Sum) throws(Trap) {
        if changesFlags(instruction.flags) { flags.set(sum) }
        if arithmetic.hasDestination { try write(sum.result, to: instruction.destination) }
    }

    @inline(__always)
    mutating func shifted(_ instruction: EntryReference) -> Shifted {
        let shift = instruction.shift
        return Shifted(registers[instruction.second], shift.kind, by: UInt32(shift.amount), carry: flags.carry)
    }

    /// Writes a result to a register. A write to register 15 is a branch to the result. A write to register 13, the stack
    /// pointer, clears the two lowest bits.
    @inline(__always)
    private mutating func write(_ result: UInt32, to register: Register) throws(Trap) {
        switch register {
        case 15: next = result & ~1
        case 13: registers[13] = result & ~3
        case _: registers[register] = result
        }
    }

    private mutating func shift(_ kind: ShiftKind, _ instruction: EntryReference) {
        let amount = registers[instruction.second] & 0xFF
        let shifted = Shifted(registers[instruction.first], kind, by: amount, carry: flags.carry)
        registers[instruction.destination] = shifted.result
        if changesFlags(instruction.flags) { flags.set(shifted.result, carry: shifted.carry) }
    }

    // MARK: Branches

    @inline(__always)
    private mutating func execute(_ branch: Branch, _ instruction: EntryReference) throws(Trap) {
        let target = registers[15] &+ instruction.constant
        switch branch {
        case .always: next = target
        case .conditional:
            if let condition = Condition(rawValue: instruction.variant), flags.satisfy(condition) { next = target }
        case .link:
            registers[14] = next | 1
            next = target
        case .register: try exchange(registers[instruction.second])
        case .linkRegister:
            let target = registers[instruction.second]
            registers[14] = next | 1
            try exchange(target)
        case .whenZero: if registers[instruction.first] == 0 { next = target }
        case .whenNonzero: if registers[instruction.first] != 0 { next = target }
        case .byteTable:
            let entry = try read(registers[instruction.first] &+ registers[instruction.second], as: UInt8.self)
            next = registers[15] &+ UInt32(entry) &* 2
        case .halfwordTable:
            let entry = try read(registers[instruction.first] &+ registers[instruction.second] &* 2, as: UInt16.self)
            next = registers[15] &+ UInt32(entry) &* 2
        }
    }

    /// Branches to `target`. The lowest bit of the target selects Thumb instructions. If this bit is clear, a bare core throws
    /// `invalidState`.
    mutating func exchange(_ target: UInt32) throws(Trap) {
        // A core with peripherals goes to any address. If the address is even, the next instruction faults. EXC_RETURN is one
        // of the highest addresses.
        if target & 1 == 0 || target >= 0xF000_0000 {
            guard target & 1 != 0 || part != nil else { throw .invalidState }
            isThumb = target & 1 != 0
            attention = 0
        }
        next = target & ~1
    }

    // MARK: The processor itself

    private mutating func execute(_ system: SystemOperation, _ instruction: EntryReference) throws(Trap) {
        let number = UInt8(truncatingIfNeeded: instruction.constant)
        switch system {
        case .none, .barrier: break
        case .sendEvent: exceptions.hasEvent = true
        case .waitForInterrupt:
            guard part != nil else { throw .waitsForInterrupt }
            (activity, attention) = (.waitingForInterrupt, 0)
        case .waitForEvent:
            guard part != nil else { throw .waitsForEvent }
            (activity, attention) = (.waitingForEvent, 0)
        case .ifThen: ifThen = number
        case .breakpoint: throw .breakpoint(number)
        case .stop: throw .stopped
        case .supervisorCall:
            guard part != nil else { throw .supervisorCall(number) }
            raise(SystemException.supervisorCall)
        case .read: registers[instruction.destination] = special(number)
        case .write: setSpecial(number, registers[instruction.first], instruction.variant)
        case .mask: keepOff(MaskRegisters(rawValue: number), true)
        case .unmask: keepOff(MaskRegisters(rawValue: number), false)
        }
    }
}

extension InlineArray where Element == UInt32 {
    /// A register's value. The getter is `mutating`, because otherwise it would copy the array. The number of elements must
    /// be a power of two, because the subscript masks the index instead of checking its bounds.
    @inline(__always)
    subscript(_ register: Register) -> UInt32 {
        mutating get {
            let index = Int(register) & (count &- 1)
            return withUnsafeMutableBytes(of: &self) { $0.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self) }
        }
        set {
            let index = Int(register) & (count &- 1)
            withUnsafeMutableBytes(of: &self) { $0.storeBytes(of: newValue, toByteOffset: index &* 4, as: UInt32.self) }
        }
    }
}

extension CortexM4 {
    /// Returns the base register's value, from which an access computes its address. The program counter is rounded down to a
    /// multiple of 4.
    @inline(__always)
    mutating func base(_ instruction: EntryReference) -> UInt32 {
        instruction.first == 15 ? registers[15] & ~3 : registers[instruction.first]
    }

    @inline(__always)
    private mutating func access(_ kind: MemoryAccess, _ instruction: EntryReference) throws(Trap) {
        let base = base(instruction)
        let moved: UInt32
        switch instruction.source {
        case .constant, .rotatedConstant: moved = base &+ instruction.constant
        case .register: moved = base &+ registers[instruction.second] &<< UInt32(instruction.shift.amount)
        }
        let address = instruction.indexing == .after ? base : moved
        switch kind {
        case .loadWord, .loadHalfword, .loadByte, .loadSignedHalfword, .loadSignedByte:
            let value = try load(kind, address)
            if instruction.indexing != .offset { registers[instruction.first] = moved }
            try fill(instruction.destination, value)
        case .storeWord, .storeHalfword, .storeByte:
            try store(kind, registers[instruction.destination], address)
            if instruction.indexing != .offset { registers[instruction.first] = moved }
        }
    }

    @inline(never)
    private mutating func unprivilegedAccess(_ kind: MemoryAccess, _ instruction: EntryReference) throws(Trap) {
        protect(isPrivileged: false)
        defer { protect() }
        try access(kind, instruction)
    }

    @inline(__always)
    private mutating func fill(_ register: Register, _ value: UInt32) throws(Trap) {
        switch register {
        case 15: try exchange(value)
        case 13: registers[13] = value & ~3
        case _: registers[register] = value
        }
    }

    @inline(__always)
    private mutating func load(_ kind: MemoryAccess, _ address: UInt32) throws(Trap) -> UInt32 {
        switch kind {
        case .loadWord, .storeWord: try read(address, as: UInt32.self)
        case .loadHalfword, .storeHalfword: UInt32(try read(address, as: UInt16.self))
        case .loadByte, .storeByte: UInt32(try read(address, as: UInt8.self))
        case .loadSignedHalfword: UInt32(bitPattern: Int32(try read(address, as: Int16.self)))
        case .loadSignedByte: UInt32(bitPattern: Int32(try read(address, as: Int8.self)))
        }
    }

    @inline(__always)
    private mutating func store(_ kind: MemoryAccess, _ value: UInt32, _ address: UInt32) throws(Trap) {
        switch kind {
        case .storeWord, .loadWord: try write(value, at: address)
        case .storeHalfword, .loadHalfword, .loadSignedHalfword:
            try write(UInt16(truncatingIfNeeded: value), at: address)
        case .storeByte, .loadByte, .loadSignedByte:
            try write(UInt8(truncatingIfNeeded: value), at: address)
        }
    }

    private mutating func dual(_ direction: TransferDirection, _ instruction: EntryReference) throws(Trap) {
        let base = base(instruction)
        let moved = base &+ instruction.constant
        let address = instruction.indexing == .after ? base : moved
        // These accesses must be aligned even if CCR allows other accesses to be unaligned (A3.2.1).
        guard address & 3 == 0 else { throw .unaligned(address) }
        switch direction {
        case .load:
            let lower = try read(address, as: UInt32.self)
            let upper = try read(address &+ 4, as: UInt32.self)
            if instruction.indexing != .offset { registers[instruction.first] = moved }
            (registers[instruction.destination], registers[instruction.third]) = (lower, upper)
        case .store:
            try write(registers[instruction.destination], at: address)
            try write(registers[instruction.third], at: address &+ 4)
            if instruction.indexing != .offset { registers[instruction.first] = moved }
        }
    }

    private mutating func multiple(
        _ direction: TransferDirection, _ order: MultipleOrder, _ instruction: EntryReference
    ) throws(Trap) {
        let base = registers[instruction.first]
        let list = instruction.constant
        let size = UInt32(list.nonzeroBitCount) &* 4
        let (start, moved) = order == .after ? (base, base &+ size) : (base &- size, base &- size)
        guard start & 3 == 0 else { throw .unaligned(start) }
        var address = start
        var target: UInt32?
        var loaded = InlineArray<16, UInt32>(repeating: 0)
        var rest = list
        while rest != 0 {
            let register = Register(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            switch direction {
            case .load: loaded[register] = try read(address, as: UInt32.self)
            case .store: try write(registers[register], at: address)
            }
            address &+= 4
        }
        if instruction.indexing != .offset { registers[instruction.first] = moved }
        guard direction == .load else { return }
        rest = list
        while rest != 0 {
            let register = Register(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            if register == 15 { target = loaded[register] } else { registers[register] = loaded[register] }
        }
        if let target { try exchange(target) }
    }

    private mutating func loadExclusive(_ kind: MemoryAccess, _ instruction: EntryReference) throws(Trap) {
        let address = registers[instruction.first] &+ instruction.constant
        try align(kind, address)
        registers[instruction.destination] = try load(kind, address)
        isExclusive = true
    }

    private mutating func storeExclusive(_ kind: MemoryAccess, _ instruction: EntryReference) throws(Trap) {
        let address = registers[instruction.first] &+ instruction.constant
        try align(kind, address)
        if isExclusive { try store(kind, registers[instruction.third], address) }
        registers[instruction.destination] = isExclusive ? 0 : 1
        isExclusive = false
    }

    private func align(_ kind: MemoryAccess, _ address: UInt32) throws(Trap) {
        let mask: UInt32
        switch kind {
        case .loadWord, .storeWord: mask = 3
        case .loadHalfword, .storeHalfword, .loadSignedHalfword: mask = 1
        case .loadByte, .storeByte, .loadSignedByte: mask = 0
        }
        guard address & mask == 0 else { throw .unaligned(address) }
    }
}
