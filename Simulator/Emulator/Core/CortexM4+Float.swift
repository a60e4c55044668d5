extension CortexM4 {
    mutating func execute(_ instruction: FloatInstruction) throws(Trap) {
        guard memory.system.allowsFloat else { throw .noCoprocessor }
        switch instruction {
        case .arithmetic(let operation, let target, let first, let second):
            numbers[target] = float.compute(operation, numbers[target], numbers[first], numbers[second])
        case .single(.move, let target, let source): numbers[target] = numbers[source]
        case .single(.absolute, let target, let source): numbers[target] = numbers[source] & ~FloatParts.sign
        case .single(.negate, let target, let source): numbers[target] = numbers[source] ^ FloatParts.sign
        case .single(.squareRoot, let target, let source): numbers[target] = float.squareRoot(numbers[source])
        case .constant(let target, let bits): numbers[target] = bits
        case .compare(let comparison, let first, let second):
            float.compare(numbers[first], numbers[second], comparison)
        case .compareZero(let comparison, let first): float.compare(numbers[first], 0, comparison)
        case .toInteger, .fromInteger, .toFixed, .fromFixed, .toHalf, .fromHalf: convert(instruction)
        case .fromCore(let target, let source): numbers[target] = registers[source]
        case .toCore(let target, let source): registers[target] = numbers[source]
        case .pairFromCore(let target, let first, let second):
            (numbers[target], numbers[target &+ 1]) = (registers[first], registers[second])
        case .pairToCore(let first, let second, let source):
            (registers[first], registers[second]) = (numbers[source], numbers[source &+ 1])
        case .readStatus(15): flags.word = flags.word & 0x0FFF_FFFF | float.word & 0xF000_0000
        case .readStatus(let target): registers[target] = float.word
        case .writeStatus(let source): float.word = registers[source] & FloatStatus.writable
        case .access(let access): try execute(access)
        }
    }

    private mutating func convert(_ instruction: FloatInstruction) {
        switch instruction {
        case .toInteger(let target, let source, let signedness, let rounding):
            numbers[target] = float.fixed(
                numbers[source], bits: 32, fractionBits: 0, signedness,
                rounding == .towardsZero ? .towardsZero : float.rounding)
        case .fromInteger(let target, let source, let signedness):
            numbers[target] = float.number(numbers[source], bits: 32, fractionBits: 0, signedness, float.rounding)
        case .toFixed(let fixed):
            numbers[fixed.register] = float.fixed(
                numbers[fixed.register], bits: Int(fixed.bits), fractionBits: Int(fixed.fractionBits),
                fixed.signedness, .towardsZero)
        case .fromFixed(let fixed):
            numbers[fixed.register] = float.number(
                numbers[fixed.register], bits: Int(fixed.bits), fractionBits: Int(fixed.fractionBits),
                fixed.signedness, .nearest)
        case .toHalf(let target, let source, let half):
            let bits = float.half(numbers[source])
            numbers[target] =
                half == .lower ? numbers[target] & 0xFFFF_0000 | bits : numbers[target] & 0xFFFF | bits &<< 16
        case .fromHalf(let target, let source, let half):
            numbers[target] = float.number(half: half == .lower ? numbers[source] & 0xFFFF : numbers[source] &>> 16)
        case .arithmetic, .single, .constant, .compare, .compareZero, .fromCore, .toCore, .pairFromCore, .pairToCore,
            .readStatus, .writeStatus, .access:
            break
        }
    }

    private mutating func execute(_ access: FloatInstruction.Access) throws(Trap) {
        let base = access.base == 15 ? registers[15] & ~3 : registers[access.base]
        var address = base &+ UInt32(bitPattern: access.offset)
        guard address & 3 == 0 else { throw .unaligned(address) }
        for number in access.first..<access.first &+ access.count {
            switch access.direction {
            case .load: numbers[number] = try read(address, as: UInt32.self)
            case .store: try memory.store(numbers[number], at: address)
            }
            address &+= 4
        }
        if access.writeback != 0 { registers[access.base] = base &+ UInt32(bitPattern: access.writeback) }
    }
}

extension FloatStatus {
    /// - Parameter target: what the destination had before.
    mutating func compute(
        _ operation: FloatInstruction.Operation, _ target: UInt32, _ first: UInt32, _ second: UInt32
    ) -> UInt32 {
        let sign = FloatParts.sign
        switch operation {
        case .add: return add(first, second)
        case .subtract: return subtract(first, second)
        case .multiply: return multiply(first, second)
        case .multiplyNegated: return multiply(first, second) ^ sign
        case .divide: return divide(first, second)
        case .multiplyThenAdd: return add(target, multiply(first, second))
        case .multiplyThenSubtract: return add(target, multiply(first, second) ^ sign)
        case .negatedMultiplyThenAdd: return add(target ^ sign, multiply(first, second) ^ sign)
        case .negatedMultiplyThenSubtract: return add(target ^ sign, multiply(first, second))
        case .fusedAdd: return multiplyAdd(target, first, second)
        case .fusedSubtract: return multiplyAdd(target, first ^ sign, second)
        case .negatedFusedAdd: return multiplyAdd(target ^ sign, first ^ sign, second)
        case .negatedFusedSubtract: return multiplyAdd(target ^ sign, first, second)
        }
    }
}
