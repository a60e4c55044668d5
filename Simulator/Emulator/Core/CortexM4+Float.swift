extension CortexM4 {
    mutating func execute(_ operation: FloatOperation, _ instruction: EntryReference) throws(Trap) {
        if !floatContext.isReady || !memory.system.allowsFloat(isPrivileged: isPrivileged) { try prepareFloat() }
        let (target, first, second) = (instruction.destination, instruction.first, instruction.second)
        let sign = FloatParts.sign
        switch operation {
        case .add: numbers[target] = float.add(numbers[first], numbers[second])
        case .subtract: numbers[target] = float.subtract(numbers[first], numbers[second])
        case .multiply: numbers[target] = float.multiply(numbers[first], numbers[second])
        case .multiplyNegated: numbers[target] = float.multiply(numbers[first], numbers[second]) ^ sign
        case .divide: numbers[target] = float.divide(numbers[first], numbers[second])
        case .multiplyThenAdd:
            numbers[target] = float.add(numbers[target], float.multiply(numbers[first], numbers[second]))
        case .multiplyThenSubtract:
            numbers[target] = float.add(numbers[target], float.multiply(numbers[first], numbers[second]) ^ sign)
        case .negatedMultiplyThenAdd:
            numbers[target] = float.add(numbers[target] ^ sign, float.multiply(numbers[first], numbers[second]) ^ sign)
        case .negatedMultiplyThenSubtract:
            numbers[target] = float.add(numbers[target] ^ sign, float.multiply(numbers[first], numbers[second]))
        case .fusedAdd: numbers[target] = float.multiplyAdd(numbers[target], numbers[first], numbers[second])
        case .fusedSubtract:
            numbers[target] = float.multiplyAdd(numbers[target], numbers[first] ^ sign, numbers[second])
        case .negatedFusedAdd:
            numbers[target] = float.multiplyAdd(numbers[target] ^ sign, numbers[first] ^ sign, numbers[second])
        case .negatedFusedSubtract:
            numbers[target] = float.multiplyAdd(numbers[target] ^ sign, numbers[first], numbers[second])
        case .move: numbers[target] = numbers[second]
        case .constant: numbers[target] = instruction.constant
        case .absolute: numbers[target] = numbers[second] & ~sign
        case .negate: numbers[target] = numbers[second] ^ sign
        case .squareRoot: numbers[target] = float.squareRoot(numbers[second])
        case .compare(let comparison): float.compare(numbers[target], numbers[second], comparison)
        case .compareZero(let comparison): float.compare(numbers[target], 0, comparison)
        case .toInteger(let signedness, let rounding):
            numbers[target] = float.fixed(
                numbers[second], bits: 32, fractionBits: 0, signedness, rounding ?? float.rounding)
        case .fromInteger(let signedness):
            numbers[target] = float.number(numbers[second], bits: 32, fractionBits: 0, signedness, float.rounding)
        case .toFixed(let signedness, let bits):
            numbers[target] = float.fixed(
                numbers[target], bits: Int(bits), fractionBits: Int(bits - second), signedness, .towardsZero)
        case .fromFixed(let signedness, let bits):
            numbers[target] = float.number(
                numbers[target], bits: Int(bits), fractionBits: Int(bits - second), signedness, .nearest)
        case .toHalf(.lower): numbers[target] = numbers[target] & 0xFFFF_0000 | float.half(numbers[second])
        case .toHalf(.upper): numbers[target] = numbers[target] & 0xFFFF | float.half(numbers[second]) &<< 16
        case .fromHalf(.lower): numbers[target] = float.number(half: numbers[second] & 0xFFFF)
        case .fromHalf(.upper): numbers[target] = float.number(half: numbers[second] &>> 16)
        case .fromCore: numbers[target] = registers[first]
        case .toCore: registers[target] = numbers[first]
        case .pairFromCore:
            (numbers[target], numbers[target &+ 1]) = (registers[first], registers[instruction.third])
        case .pairToCore:
            (registers[first], registers[instruction.third]) = (numbers[target], numbers[target &+ 1])
        case .readStatus where target == 15: flags.word = flags.word & 0x0FFF_FFFF | float.word & 0xF000_0000
        case .readStatus: registers[target] = float.word
        case .writeStatus: float.word = registers[first] & FloatStatus.writable
        case .access(let direction, let count):
            try transfer(direction, target, count, at: base(instruction) &+ instruction.constant)
        case .multiple(let direction, let order):
            let (base, size) = (base(instruction), instruction.constant &* 4)
            let moved = order == .after ? base &+ size : base &- size
            let count = UInt8(truncatingIfNeeded: instruction.constant)
            try transfer(direction, target, count, at: order == .after ? base : moved)
            if instruction.indexing != .offset { registers[first] = moved }
        }
    }

    private mutating func transfer(
        _ direction: TransferDirection, _ first: Register, _ count: UInt8, at start: UInt32
    ) throws(Trap) {
        guard start & 3 == 0 else { throw .unaligned(start) }
        var address = start
        for number in first..<first &+ count {
            switch direction {
            case .load: numbers[number] = try read(address, as: UInt32.self)
            case .store: try write(numbers[number], at: address)
            }
            address &+= 4
        }
    }
}
