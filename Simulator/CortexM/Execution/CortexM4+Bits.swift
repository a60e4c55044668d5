extension CortexM4 {
    mutating func execute(_ field: BitField) {
        let (lowest, width) = (UInt32(field.lowest), UInt32(field.width))
        let mask: UInt32 = width < 32 ? 1 &<< width &- 1 : .max
        let source = registers[field.source]
        switch field.operation {
        case .insert:
            registers[field.destination] =
                registers[field.destination] & ~(mask &<< lowest) | (source & mask) &<< lowest
        case .clear: registers[field.destination] &= ~(mask &<< lowest)
        case .extractUnsigned: registers[field.destination] = source &>> lowest & mask
        case .extractSigned:
            let top = 32 &- width
            let moved = Int32(bitPattern: (source &>> lowest) &<< top)
            registers[field.destination] = UInt32(bitPattern: moved &>> Int32(top))
        }
    }

    mutating func execute(_ field: Extension) {
        let source = registers[field.source]
        let turn = UInt32(field.rotation)
        let rotated = source &>> turn | source &<< (32 &- turn & 31)
        let addend = field.addend.map { registers[$0] } ?? 0
        let value: UInt32
        switch (field.part, field.signedness) {
        case (.byte, .signed): value = addend &+ UInt32(bitPattern: Int32(Int8(truncatingIfNeeded: rotated)))
        case (.byte, .unsigned): value = addend &+ rotated & 0xFF
        case (.halfword, .signed): value = addend &+ UInt32(bitPattern: Half.lower.value(rotated))
        case (.halfword, .unsigned): value = addend &+ rotated & 0xFFFF
        case (.bytePair, let signedness):
            let (lower, upper) = (UInt8(truncatingIfNeeded: rotated), UInt8(truncatingIfNeeded: rotated &>> 16))
            let extend: (UInt8) -> UInt32 = {
                signedness == .signed ? UInt32(bitPattern: Int32(Int8(bitPattern: $0))) : UInt32($0)
            }
            value = (addend &+ extend(lower)) & 0xFFFF | (addend &>> 16 &+ extend(upper)) &<< 16
        }
        registers[field.destination] = value
    }

    mutating func execute(_ operation: BitOperation, _ destination: Register, _ source: Register) {
        let value = registers[source]
        switch operation {
        case .countLeadingZeros: registers[destination] = UInt32(value.leadingZeroBitCount)
        case .reverseBits:
            var (rest, result) = (value, UInt32(0))
            for _ in 0..<32 {
                result = result &<< 1 | rest & 1
                rest &>>= 1
            }
            registers[destination] = result
        case .reverseBytes: registers[destination] = value.byteSwapped
        case .reverseBytesOfHalfwords:
            registers[destination] = (value & 0x00FF_00FF) &<< 8 | (value & 0xFF00_FF00) &>> 8
        case .reverseSignedHalfword:
            let swapped = Int16(truncatingIfNeeded: value).byteSwapped
            registers[destination] = UInt32(bitPattern: Int32(swapped))
        }
    }

    mutating func execute(_ saturation: Saturation) {
        let source = registers[saturation.source]
        switch saturation.lanes {
        case .word(let shift):
            let shifted = Shifted(source, shift.kind, by: UInt32(shift.amount), carry: 0).result
            registers[saturation.destination] = saturate(saturation, Int32(bitPattern: shifted))
        case .halfwords:
            let lower = saturate(saturation, Half.lower.value(source)) & 0xFFFF
            let upper = saturate(saturation, Half.upper.value(source)) &<< 16
            registers[saturation.destination] = lower | upper
        }
    }

    private mutating func saturate(_ saturation: Saturation, _ value: Int32) -> UInt32 {
        let width = Int64(saturation.width)
        let range =
            saturation.signedness == .signed
            ? -(1 &<< (width &- 1))...(1 &<< (width &- 1) &- 1) as ClosedRange<Int64> : 0...(1 &<< width &- 1)
        let result = Int64(value).clamped(to: range)
        if result != Int64(value) { flags.saturate() }
        return UInt32(truncatingIfNeeded: result)
    }

    mutating func execute(_ addition: SaturatingAddition) {
        let first = Int64(Int32(bitPattern: registers[addition.first]))
        let second = Int64(Int32(bitPattern: registers[addition.second]))
        switch addition.operation {
        case .add: registers[addition.destination] = saturate(first &+ second)
        case .subtract: registers[addition.destination] = saturate(first &- second)
        case .doubleAdd: registers[addition.destination] = saturate(first &+ doubled(second))
        case .doubleSubtract: registers[addition.destination] = saturate(first &- doubled(second))
        }
    }

    private mutating func doubled(_ value: Int64) -> Int64 {
        Int64(Int32(bitPattern: saturate(value &* 2)))
    }

    private mutating func saturate(_ value: Int64) -> UInt32 {
        let result = value.clamped(to: Int64(Int32.min)...Int64(Int32.max))
        if result != value { flags.saturate() }
        return UInt32(truncatingIfNeeded: result)
    }

    mutating func execute(_ pack: HalfwordPack) {
        let first = registers[pack.first]
        let second = Shifted(
            registers[pack.second], pack.shift.kind, by: UInt32(pack.shift.amount), carry: flags.carry
        ).result
        switch pack.kept {
        case .lower: registers[pack.destination] = first & 0xFFFF | second & 0xFFFF_0000
        case .upper: registers[pack.destination] = first & 0xFFFF_0000 | second & 0xFFFF
        }
    }

    mutating func execute(_ differences: AbsoluteDifferences) {
        let (first, second) = (registers[differences.first], registers[differences.second])
        var sum = differences.addend.map { registers[$0] } ?? 0
        for shift in stride(from: 0, through: 24, by: 8) as StrideThrough<UInt32> {
            let (left, right) = (first &>> shift & 0xFF, second &>> shift & 0xFF)
            sum &+= left > right ? left &- right : right &- left
        }
        registers[differences.destination] = sum
    }
}

extension Int64 {
    /// This number, or the end of the range that is next to it.
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
