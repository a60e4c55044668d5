/// The encoding of an instruction as a pattern of 16 or 32 bits, highest bit first, as the manual prints it (A5, A6, A7.7). 0
/// and 1 are fixed bits, and `-` is an ignored bit. Each letter is a bit of a field:
///
/// - `d`: the number of the destination register. `n`, `m` and `a`: those of the first, second and third register.
/// - `b`: the number of a register that is both the destination and the first register.
/// - `D`, `N` and `M`: the lowest bits of the numbers `d`, `n` and `m`, if these are floating-point registers.
/// - `e`: the number of a double-precision register. The destination is the first of its two single-precision registers.
/// - `i`: the constant. `j`: the highest bits of the constant. `u`: 1 if the constant is added, 0 if it is subtracted.
/// - `s`: the amount of the shift. `t`: the kind of the shift.
/// - `f`: 1 if the instruction sets the flags. `x`: the variant of the operation.
/// - `p`: 1 if the offset is added before the access. `w`: 1 if the base register changes.
///
/// Encodings that the architecture calls unpredictable are decoded like predictable encodings.
struct Encoding: Sendable {
    enum Constant: Sendable {
        case times(Int32)
        /// A list of registers: bit n stands for register n. The associated value lists the registers that the instruction
        /// always transfers.
        case plus(UInt32)
        /// A signed offset in halfwords.
        case relative
        /// A signed offset in halfwords. Its sign and the bits J1 and J2 are not in the field (A7.7.12). The offset has 20 bits
        /// in `conditionalRelative`, 24 in `farRelative`.
        case conditionalRelative, farRelative
        /// A 12-bit code that expands to a 32-bit constant (A5.3.2, ThumbExpandImm_C).
        case expanded
        /// An 8-bit floating-point constant: one bit of sign, three of exponent, four of fraction (A6.4.1, VFPExpandImm).
        case float
    }

    private enum Field: Character, CaseIterable {
        case destination = "d"
        case both = "b"
        case even = "e"
        case first = "n"
        case second = "m"
        case third = "a"
        case constant = "i"
        case isAdded = "u"
        case shiftKind = "t"
        case shiftAmount = "s"
        case setsFlags = "f"
        case variant = "x"
        case isBefore = "p"
        case writesBack = "w"
    }

    /// The mnemonic without suffixes for conditions and widths. Letters that depend on the variant are placeholders: `<x>` and
    /// `<y>` become B or T. `{X}` becomes X or nothing, and `{R}` becomes R or nothing.
    private let name: String
    /// `mask` has a 1 for each fixed bit, and `value` has the values of these bits. A 16-bit encoding is in the upper half.
    private let (mask, value): (UInt32, UInt32)
    /// For each field, the positions of its bits, highest first.
    private let fields: [(field: Field, places: [UInt32])]
    private let constant: Constant
    private let fixed: Instruction
    private let isDefined: @Sendable (Instruction) -> Bool

    /// - Parameters:
    ///   - flags, shift, first, destination, indexing: the values if the pattern has no field for them.
    ///   - isDefined: whether the architecture defines an instruction that matches the pattern.
    init(
        _ name: String, _ operation: Operation, _ pattern: String, _ constant: Constant = .times(1),
        flags: FlagSetting = .never, shift: ShiftKind = .left, first: Register = 15, destination: Register = 15,
        indexing: Indexing = .offset, isDefined: @escaping @Sendable (Instruction) -> Bool = { _ in true }
    ) {
        let bits = Array(pattern.filter { $0 != " " })
        precondition(bits.count == 16 || bits.count == 32, name)
        func places(_ letters: Character...) -> [UInt32] {
            letters.flatMap { letter in bits.indices.filter { bits[$0] == letter }.map { UInt32(31 - $0) } }
        }
        self.name = name
        self.constant = constant
        self.isDefined = isDefined
        value = places("1").reduce(0) { $0 | 1 << $1 }
        mask = places("0").reduce(value) { $0 | 1 << $1 }
        fields = Field.allCases.map { field in
            switch field {
            case .destination: (field, places("d", "D"))
            case .first: (field, places("n", "N"))
            case .second: (field, places("m", "M"))
            case .constant: (field, places("j", "i"))
            case .both, .even, .third, .isAdded, .shiftKind, .shiftAmount, .setsFlags, .variant, .isBefore, .writesBack:
                (field, places(field.rawValue))
            }
        }.filter { !$0.1.isEmpty }
        var fixed = Instruction(operation: operation, destination: destination, first: first)
        fixed.source = bits.contains("m") ? .register : .constant
        fixed.shift.kind = shift
        fixed.flags = flags
        fixed.indexing = indexing
        self.fixed = fixed
    }

    func mayBegin(with high: UInt32) -> Bool { (value ^ high << 24) & mask & 0xFF00_0000 == 0 }

    func matches(_ word: UInt32) -> Bool { (value ^ word) & mask == 0 }

    func decode(_ word: UInt32) -> Instruction {
        var instruction = fixed
        var isBefore = true
        for (field, places) in fields {
            let number = places.reduce(0 as UInt32) { $0 &<< 1 | word &>> $1 & 1 }
            let register = Register(truncatingIfNeeded: number)
            switch field {
            case .destination: instruction.destination = register
            case .both: (instruction.destination, instruction.first) = (register, register)
            case .even: instruction.destination = register &* 2
            case .first: instruction.first = register
            case .second: instruction.second = register
            case .third: instruction.third = register
            case .constant: read(number, bits: UInt32(places.count), of: word, into: &instruction)
            case .isAdded: if number == 0 { instruction.constant = 0 &- instruction.constant }
            case .shiftKind: instruction.shift.kind = Encoding.shifts[Int(number)]
            case .shiftAmount: instruction.shift.amount = register
            case .setsFlags: instruction.flags = number == 1 ? .always : .never
            case .variant: instruction.variant = register
            case .isBefore:
                isBefore = number == 1
                instruction.indexing = isBefore ? .before : .after
            case .writesBack: instruction.indexing = !isBefore ? .after : number == 1 ? .before : .offset
            }
        }
        instruction.shift = Encoding.given(instruction.shift)
        return isDefined(instruction) ? instruction : .undefined
    }

    private static let shifts: [ShiftKind] = [.left, .logicalRight, .arithmeticRight, .rotateRight]

    /// Returns the shift that an encoded kind and amount stand for. An encoded amount of 0 means a shift by 32 for LSR and ASR,
    /// and RRX for ROR (A7.4.2, DecodeImmShift).
    private static func given(_ shift: Shift) -> Shift {
        switch (shift.kind, shift.amount) {
        case (.logicalRight, 0), (.arithmeticRight, 0): Shift(kind: shift.kind, amount: 32)
        case (.rotateRight, 0): Shift(kind: .rotateRightExtended, amount: 1)
        case (.left, _), (.logicalRight, _), (.arithmeticRight, _), (.rotateRight, _), (.rotateRightExtended, _): shift
        }
    }

    private func read(_ number: UInt32, bits: UInt32, of word: UInt32, into instruction: inout Instruction) {
        func signed(_ number: UInt32, bits: UInt32) -> UInt32 {
            UInt32(bitPattern: Int32(bitPattern: number &<< (32 &- bits)) &>> Int32(32 &- bits))
        }
        let (sign, j1, j2) = (word &>> 26 & 1, word &>> 13 & 1, word &>> 11 & 1)
        switch constant {
        case .times(let factor): instruction.constant = number &* UInt32(bitPattern: factor)
        case .plus(let registers): instruction.constant = number | registers
        case .relative: instruction.constant = signed(number, bits: bits) &* 2
        case .conditionalRelative:
            let high = sign &<< 19 | j2 &<< 18 | j1 &<< 17
            instruction.constant = signed(high | number, bits: 20) &* 2
        case .farRelative:
            // J1 and J2 say, for each of the two bits below the sign, whether it equals the sign.
            let high = sign &<< 23 | (1 &- (j1 ^ sign)) &<< 22 | (1 &- (j2 ^ sign)) &<< 21
            instruction.constant = signed(high | number, bits: 24) &* 2
        case .expanded: expand(number, into: &instruction)
        case .float:
            let exponent: UInt32 = number & 0x40 != 0 ? 0x7C : 0x80
            instruction.constant = (number & 0x80) &<< 24 | (exponent | number &>> 4 & 3) &<< 23 | (number & 15) &<< 19
        }
    }

    private func expand(_ number: UInt32, into instruction: inout Instruction) {
        let byte = number & 0xFF
        switch number &>> 8 {
        case 0: instruction.constant = byte
        case 1: instruction.constant = byte &<< 16 | byte
        case 2: instruction.constant = byte &<< 24 | byte &<< 8
        case 3: instruction.constant = byte &* 0x0101_0101
        case _:
            let (turn, value) = (number &>> 7, 0x80 | number & 0x7F)
            instruction.constant = value &>> turn | value &<< (32 &- turn)
            instruction.source = .rotatedConstant
        }
    }

    /// Returns the mnemonic of an instruction that matches this encoding, without suffixes for conditions and widths. A MOV with
    /// a shift has the mnemonic of the shift.
    func name(of word: UInt32) -> String {
        let instruction = decode(word)
        if instruction.operation == .arithmetic(.move), instruction.shift != .none {
            return instruction.shift.kind.rawValue
        }
        let (first, second) = (instruction.variant & 2 != 0, instruction.variant & 1 != 0)
        return name.replacing("<x>", with: first ? "T" : "B").replacing("<y>", with: second ? "T" : "B")
            .replacing("{X}", with: second ? "X" : "").replacing("{R}", with: second ? "R" : "")
    }
}

enum Decoder {
    struct Decoded: Equatable, Sendable {
        var instruction: Instruction
        var length: UInt8
    }

    /// The possible encodings for each value of an instruction's eight highest bits. The first encoding that matches applies.
    private static let encodings = (0..<256 as Range<UInt32>).map { high in
        Encoding.all.filter { $0.mayBegin(with: high) }
    }

    private static func encoding(of word: UInt32) -> Encoding? {
        encodings[Int(word &>> 24)].first { $0.matches(word) }
    }

    /// - Parameters:
    ///   - first: the halfword at the instruction's address.
    ///   - second: the next halfword, which is ignored for a 16-bit instruction.
    static func decode(_ first: UInt16, _ second: UInt16) -> Decoded {
        let word = UInt32(first) &<< 16 | UInt32(second)
        // A first halfword from 0xE800 up begins a 32-bit instruction (A5.1).
        let length: UInt8 = first >= 0xE800 ? 4 : 2
        return Decoded(instruction: encoding(of: word)?.decode(word) ?? .undefined, length: length)
    }

    /// Returns the mnemonic of an instruction, or UDF if the instruction is undefined. The parameters are those of `decode`.
    static func name(_ first: UInt16, _ second: UInt16) -> String {
        let word = UInt32(first) &<< 16 | UInt32(second)
        guard let encoding = encoding(of: word), encoding.decode(word).operation != .undefined else { return "UDF" }
        return encoding.name(of: word)
    }
}

extension CortexM4 {
    /// Returns the mnemonic of the instruction at an address, without suffixes for conditions and widths. Returns UDF if the
    /// instruction is undefined, or if it cannot be read.
    package func mnemonic(at address: UInt32) -> String {
        guard let first = try? memory.load(address, as: UInt16.self) else { return "UDF" }
        return Decoder.name(first, (try? memory.load(address &+ 2, as: UInt16.self)) ?? 0)
    }
}
