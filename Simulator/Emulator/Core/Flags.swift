/// The condition flags of the processor, at their bits in the APSR (B1.4.2).
struct Flags: Equatable, Sendable {
    /// N, Z, C, V and Q in bits 31 to 27, GE in bits 19 to 16.
    var word: UInt32 = 0

    var isNegative: Bool { word &>> 31 & 1 != 0 }
    var isZero: Bool { word &>> 30 & 1 != 0 }
    var carry: UInt32 { word &>> 29 & 1 }
    var isOverflow: Bool { word &>> 28 & 1 != 0 }
    /// The GE flags: one bit for each byte of a word. Bit 0 belongs to the lowest byte.
    var greaterOrEqual: UInt32 {
        get { word &>> 16 & 15 }
        set { word = word & ~0x000F_0000 | newValue &<< 16 }
    }

    @inline(__always)
    mutating func set(_ result: UInt32) {
        word = word & 0x3FFF_FFFF | result & 0x8000_0000 | (result == 0 ? 0x4000_0000 : 0)
    }

    @inline(__always)
    mutating func set(_ result: UInt32, carry: UInt32) {
        word = word & 0x1FFF_FFFF | result & 0x8000_0000 | (result == 0 ? 0x4000_0000 : 0) | carry &<< 29
    }

    @inline(__always)
    mutating func set(_ sum: Sum) {
        let zero: UInt32 = sum.result == 0 ? 0x4000_0000 : 0
        word = word & 0x0FFF_FFFF | sum.result & 0x8000_0000 | zero | sum.carry &<< 29 | sum.overflow &<< 28
    }

    mutating func saturate() { word |= 1 &<< 27 }

    @inline(__always)
    func satisfy(_ condition: Condition) -> Bool {
        switch condition {
        case .equal: isZero
        case .notEqual: !isZero
        case .carrySet: carry != 0
        case .carryClear: carry == 0
        case .minus: isNegative
        case .plus: !isNegative
        case .overflow: isOverflow
        case .noOverflow: !isOverflow
        case .higher: carry != 0 && !isZero
        case .lowerOrSame: carry == 0 || isZero
        case .greaterOrEqual: isNegative == isOverflow
        case .less: isNegative != isOverflow
        case .greater: !isZero && isNegative == isOverflow
        case .lessOrEqual: isZero || isNegative != isOverflow
        case .always: true
        }
    }
}

/// A 32-bit sum. Its carry and overflow are 0 or 1 (A2.2.1, AddWithCarry).
struct Sum {
    var result: UInt32
    var carry: UInt32
    var overflow: UInt32

    @inline(__always)
    init(_ first: UInt32, _ second: UInt32, carry: UInt32) {
        let wide = UInt64(first) &+ UInt64(second) &+ UInt64(carry)
        result = UInt32(truncatingIfNeeded: wide)
        self.carry = UInt32(truncatingIfNeeded: wide &>> 32)
        overflow = (~(first ^ second) & (first ^ result)) &>> 31
    }
}

/// A shifted word. Its carry is the last bit that was shifted out, 0 or 1 (A2.2.1, Shift_C).
struct Shifted {
    var result: UInt32
    var carry: UInt32

    /// - Parameters:
    ///   - amount: 0 to 255.
    ///   - carry: the carry flag before the shift. A shift by 0 keeps it.
    @inline(__always)
    init(_ value: UInt32, _ kind: ShiftKind, by amount: UInt32, carry: UInt32) {
        guard amount > 0 else {
            (result, self.carry) = (value, carry)
            return
        }
        switch kind {
        case .left:
            result = amount < 32 ? value &<< amount : 0
            self.carry = amount <= 32 ? (value &>> (32 &- amount) & 1) : 0
        case .logicalRight:
            result = amount < 32 ? value &>> amount : 0
            self.carry = amount <= 32 ? value &>> (amount &- 1) & 1 : 0
        case .arithmeticRight:
            let shift = min(amount, 32)
            let wide = Int64(Int32(bitPattern: value))
            result = UInt32(truncatingIfNeeded: wide &>> Int64(shift))
            self.carry = UInt32(truncatingIfNeeded: wide &>> Int64(shift &- 1)) & 1
        case .rotateRight:
            let turn = amount & 31
            result = value &>> turn | value &<< (32 &- turn & 31)
            self.carry = result &>> 31
        case .rotateRightExtended:
            result = value &>> 1 | carry &<< 31
            self.carry = value & 1
        }
    }
}
