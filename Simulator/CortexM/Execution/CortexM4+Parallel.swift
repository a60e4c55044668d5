extension CortexM4 {
    mutating func execute(_ parallel: ParallelArithmetic) {
        let (first, second) = (registers[parallel.first], registers[parallel.second])
        switch parallel.operation {
        case .add8, .subtract8: bytes(parallel, first, second)
        case .add16, .subtract16, .addSubtractExchange, .subtractAddExchange: halfwords(parallel, first, second)
        }
    }

    private mutating func bytes(_ parallel: ParallelArithmetic, _ first: UInt32, _ second: UInt32) {
        let isSum = parallel.operation == .add8
        var (word, flags) = (UInt32(0), UInt32(0))
        for lane in 0..<4 as Range<UInt32> {
            let left = parallel.extended(UInt8(truncatingIfNeeded: first &>> (lane &* 8)))
            let right = parallel.extended(UInt8(truncatingIfNeeded: second &>> (lane &* 8)))
            let result = isSum ? left &+ right : left &- right
            word |= (parallel.fitted(result, bits: 8) & 0xFF) &<< (lane &* 8)
            if parallel.reaches(result, bits: 8, isSum: isSum) { flags |= 1 &<< lane }
        }
        finish(parallel, word, flags)
    }

    private mutating func halfwords(_ parallel: ParallelArithmetic, _ first: UInt32, _ second: UInt32) {
        let (lowerIsSum, upperIsSum, isCrossed): (Bool, Bool, Bool) =
            switch parallel.operation {
            case .add16, .add8: (true, true, false)
            case .subtract16, .subtract8: (false, false, false)
            case .addSubtractExchange: (false, true, true)
            case .subtractAddExchange: (true, false, true)
            }
        let second = isCrossed ? second &>> 16 | second &<< 16 : second
        let left = (parallel.extended(UInt16(truncatingIfNeeded: first)), parallel.extended(UInt16(first &>> 16)))
        let right = (parallel.extended(UInt16(truncatingIfNeeded: second)), parallel.extended(UInt16(second &>> 16)))
        let lower = lowerIsSum ? left.0 &+ right.0 : left.0 &- right.0
        let upper = upperIsSum ? left.1 &+ right.1 : left.1 &- right.1
        let word =
            parallel.fitted(lower, bits: 16) & 0xFFFF | (parallel.fitted(upper, bits: 16) & 0xFFFF) &<< 16
        let flags: UInt32 =
            (parallel.reaches(lower, bits: 16, isSum: lowerIsSum) ? 3 : 0)
            | (parallel.reaches(upper, bits: 16, isSum: upperIsSum) ? 12 : 0)
        finish(parallel, word, flags)
    }

    private mutating func finish(_ parallel: ParallelArithmetic, _ word: UInt32, _ greaterOrEqual: UInt32) {
        registers[parallel.destination] = word
        if parallel.result == .wrapping { flags.greaterOrEqual = greaterOrEqual }
    }
}

extension ParallelArithmetic {
    /// All bits of each byte whose flag is set.
    static func bytes(_ flags: UInt32) -> UInt32 {
        var mask: UInt32 = 0
        for lane in 0..<4 as Range<UInt32> where flags &>> lane & 1 != 0 { mask |= 0xFF &<< (lane &* 8) }
        return mask
    }

    fileprivate func extended(_ byte: UInt8) -> Int32 {
        signedness == .signed ? Int32(Int8(bitPattern: byte)) : Int32(byte)
    }

    fileprivate func extended(_ halfword: UInt16) -> Int32 {
        signedness == .signed ? Int32(Int16(bitPattern: halfword)) : Int32(halfword)
    }

    /// A lane's result as the operation leaves it; the bits above the lane do not count.
    fileprivate func fitted(_ value: Int32, bits: Int32) -> UInt32 {
        switch result {
        case .wrapping: return UInt32(bitPattern: value)
        case .halving: return UInt32(bitPattern: value &>> 1)
        case .saturating:
            let lowest: Int32 = signedness == .signed ? -(1 &<< (bits &- 1)) : 0
            let highest: Int32 = signedness == .signed ? 1 &<< (bits &- 1) &- 1 : 1 &<< bits &- 1
            return UInt32(bitPattern: min(max(value, lowest), highest))
        }
    }

    /// Whether a lane sets its GE flag: not below 0, and a sum of unsigned numbers where it has a carry.
    fileprivate func reaches(_ value: Int32, bits: Int32, isSum: Bool) -> Bool {
        signedness == .unsigned && isSum ? value >= 1 &<< bits : value >= 0
    }
}
