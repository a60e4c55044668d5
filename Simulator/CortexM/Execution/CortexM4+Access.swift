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

    /// A register that a load fills: the program counter by a branch.
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
        // These are the accesses that have to be aligned whatever CCR says (A3.2.1).
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
        if access.writeback == .base { registers[access.base] = moved }
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
            monitor = .exclusive
        case .store(let kind, let status, let register, let base, let offset):
            let address = registers[base] &+ UInt32(bitPattern: offset)
            try align(kind, address)
            switch monitor {
            case .open: registers[status] = 1
            case .exclusive:
                try store(kind, registers[register], address)
                monitor = .open
                registers[status] = 0
            }
        case .clear: monitor = .open
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
