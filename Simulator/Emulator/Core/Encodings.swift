/// All encodings of the Cortex-M4. If two of them match an instruction, the more specific one comes first.
extension Encoding {
    static let all: [Encoding] =
        short + shortAccesses + shortControl + longArithmetic + longConstants + control + onRegisters + lanes
        + multiplications + multipleAccesses + accesses + floats + floatTransfers

    /// 16-bit arithmetic (A5.2.1 to A5.2.3).
    private static let short = [
        Encoding("ADD", .arithmetic(.add), "0001100 mmm nnn ddd", flags: .outsideIT),
        Encoding("SUB", .arithmetic(.subtract), "0001101 mmm nnn ddd", flags: .outsideIT),
        Encoding("ADD", .arithmetic(.add), "0001110 iii nnn ddd", flags: .outsideIT),
        Encoding("SUB", .arithmetic(.subtract), "0001111 iii nnn ddd", flags: .outsideIT),
        Encoding("MOV", .arithmetic(.move), "000 tt sssss mmm ddd", flags: .outsideIT),
        Encoding("MOV", .arithmetic(.move), "00100 bbb iiiiiiii", flags: .outsideIT),
        Encoding("CMP", .arithmetic(.compare), "00101 bbb iiiiiiii", flags: .always),
        Encoding("ADD", .arithmetic(.add), "00110 bbb iiiiiiii", flags: .outsideIT),
        Encoding("SUB", .arithmetic(.subtract), "00111 bbb iiiiiiii", flags: .outsideIT),
        Encoding("AND", .arithmetic(.and), "0100000000 mmm bbb", flags: .outsideIT),
        Encoding("EOR", .arithmetic(.exclusiveOr), "0100000001 mmm bbb", flags: .outsideIT),
        Encoding("LSL", .shift(.left), "0100000010 mmm bbb", flags: .outsideIT),
        Encoding("LSR", .shift(.logicalRight), "0100000011 mmm bbb", flags: .outsideIT),
        Encoding("ASR", .shift(.arithmeticRight), "0100000100 mmm bbb", flags: .outsideIT),
        Encoding("ADC", .arithmetic(.addCarry), "0100000101 mmm bbb", flags: .outsideIT),
        Encoding("SBC", .arithmetic(.subtractCarry), "0100000110 mmm bbb", flags: .outsideIT),
        Encoding("ROR", .shift(.rotateRight), "0100000111 mmm bbb", flags: .outsideIT),
        Encoding("TST", .arithmetic(.test), "0100001000 mmm bbb", flags: .always),
        Encoding("RSB", .arithmetic(.reverseSubtract), "0100001001 nnn ddd", flags: .outsideIT),
        Encoding("CMP", .arithmetic(.compare), "0100001010 mmm bbb", flags: .always),
        Encoding("CMN", .arithmetic(.compareNegative), "0100001011 mmm bbb", flags: .always),
        Encoding("ORR", .arithmetic(.or), "0100001100 mmm bbb", flags: .outsideIT),
        Encoding("MUL", .multiply(.word), "0100001101 mmm bbb", flags: .outsideIT),
        Encoding("BIC", .arithmetic(.clear), "0100001110 mmm bbb", flags: .outsideIT),
        Encoding("MVN", .arithmetic(.moveNot), "0100001111 mmm bbb", flags: .outsideIT),
        Encoding("ADD", .arithmetic(.add), "01000100 b mmmm bbb"),
        Encoding("CMP", .arithmetic(.compare), "01000101 b mmmm bbb", flags: .always),
        Encoding("MOV", .arithmetic(.move), "01000110 b mmmm bbb"),
        Encoding("BX", .branch(.register), "01000111 0 mmmm ---"),
        Encoding("BLX", .branch(.linkRegister), "01000111 1 mmmm ---"),
        Encoding("ADR", .address, "10100 ddd iiiiiiii", .times(4)),
        Encoding("ADD", .arithmetic(.add), "10101 ddd iiiiiiii", .times(4), first: 13),
    ]

    /// 16-bit loads and stores (A5.2.4).
    private static let shortAccesses = [
        Encoding("LDR", .access(.loadWord), "01001 ddd iiiiiiii", .times(4)),
        Encoding("STR", .access(.storeWord), "0101000 mmm nnn ddd"),
        Encoding("STRH", .access(.storeHalfword), "0101001 mmm nnn ddd"),
        Encoding("STRB", .access(.storeByte), "0101010 mmm nnn ddd"),
        Encoding("LDRSB", .access(.loadSignedByte), "0101011 mmm nnn ddd"),
        Encoding("LDR", .access(.loadWord), "0101100 mmm nnn ddd"),
        Encoding("LDRH", .access(.loadHalfword), "0101101 mmm nnn ddd"),
        Encoding("LDRB", .access(.loadByte), "0101110 mmm nnn ddd"),
        Encoding("LDRSH", .access(.loadSignedHalfword), "0101111 mmm nnn ddd"),
        Encoding("STR", .access(.storeWord), "01100 iiiii nnn ddd", .times(4)),
        Encoding("LDR", .access(.loadWord), "01101 iiiii nnn ddd", .times(4)),
        Encoding("STRB", .access(.storeByte), "01110 iiiii nnn ddd"),
        Encoding("LDRB", .access(.loadByte), "01111 iiiii nnn ddd"),
        Encoding("STRH", .access(.storeHalfword), "10000 iiiii nnn ddd", .times(2)),
        Encoding("LDRH", .access(.loadHalfword), "10001 iiiii nnn ddd", .times(2)),
        Encoding("STR", .access(.storeWord), "10010 ddd iiiiiiii", .times(4), first: 13),
        Encoding("LDR", .access(.loadWord), "10011 ddd iiiiiiii", .times(4), first: 13),
        Encoding("STM", .multiple(.store, .after), "11000 nnn iiiiiiii", indexing: .before),
        Encoding("LDM", .multiple(.load, .after), "11001 nnn iiiiiiii", indexing: .before),
        Encoding("PUSH", .multiple(.store, .before), "1011010 0 iiiiiiii", first: 13, indexing: .before),
        Encoding(
            "PUSH", .multiple(.store, .before), "1011010 1 iiiiiiii", .plus(1 << 14), first: 13, indexing: .before),
        Encoding("POP", .multiple(.load, .after), "1011110 0 iiiiiiii", first: 13, indexing: .before),
        Encoding("POP", .multiple(.load, .after), "1011110 1 iiiiiiii", .plus(1 << 15), first: 13, indexing: .before),
    ]

    /// 16-bit branches, stack and miscellaneous instructions (A5.2.5 and A5.2.6).
    private static let shortControl = [
        Encoding("ADD", .arithmetic(.add), "101100000 iiiiiii", .times(4), first: 13, destination: 13),
        Encoding("SUB", .arithmetic(.subtract), "101100001 iiiiiii", .times(4), first: 13, destination: 13),
        Encoding("CBZ", .branch(.whenZero), "1011 00 i 1 iiiii nnn", .times(2)),
        Encoding("CBNZ", .branch(.whenNonzero), "1011 10 i 1 iiiii nnn", .times(2)),
        Encoding("SXTH", .extend(.halfword, .signed), "1011001000 mmm ddd"),
        Encoding("SXTB", .extend(.byte, .signed), "1011001001 mmm ddd"),
        Encoding("UXTH", .extend(.halfword, .unsigned), "1011001010 mmm ddd"),
        Encoding("UXTB", .extend(.byte, .unsigned), "1011001011 mmm ddd"),
        Encoding("CPSIE", .system(.unmask), "10110110011 0 -- ii"),
        Encoding("CPSID", .system(.mask), "10110110011 1 -- ii"),
        Encoding("REV", .bits(.reverseBytes), "1011101000 mmm ddd"),
        Encoding("REV16", .bits(.reverseBytesOfHalfwords), "1011101001 mmm ddd"),
        Encoding("REVSH", .bits(.reverseSignedHalfword), "1011101011 mmm ddd"),
        Encoding("BKPT", .system(.breakpoint), "10111110 iiiiiiii"),
        Encoding("WFE", .system(.waitForEvent), "10111111 0010 0000"),
        Encoding("WFI", .system(.waitForInterrupt), "10111111 0011 0000"),
        Encoding("SEV", .system(.sendEvent), "10111111 0100 0000"),
        Encoding("NOP", .system(.none), "10111111 ---- 0000"),
        Encoding("IT", .system(.ifThen), "10111111 iiiiiiii"),
        Encoding("UDF", .undefined, "11011110 --------"),
        Encoding("SVC", .system(.supervisorCall), "11011111 iiiiiiii"),
        Encoding("B", .branch(.conditional), "1101 xxxx iiiiiiii", .relative),
        Encoding("B", .branch(.always), "11100 iiiiiiiiiii", .relative),
    ]

    /// Returns the two 32-bit encodings of an operation: with a shifted register (A5.3.11), and with a constant (A5.3.1).
    private static func arithmetic(
        _ name: String, _ operation: Arithmetic, _ code: String, first: String = "nnnn", destination: String = "dddd"
    ) -> [Encoding] {
        let flags = destination == "dddd" ? "f" : "1"
        return [
            Encoding(
                name, .arithmetic(operation), "1110101 \(code) \(flags) \(first) - sss \(destination) ss tt mmmm",
                flags: .always),
            Encoding(
                name, .arithmetic(operation), "11110 i 0 \(code) \(flags) \(first) 0 iii \(destination) iiiiiiii",
                .expanded, flags: .always),
        ]
    }

    private static let longArithmetic = [
        arithmetic("TST", .test, "0000", destination: "1111"), arithmetic("AND", .and, "0000"),
        arithmetic("BIC", .clear, "0001"),
        arithmetic("MOV", .move, "0010", first: "1111"), arithmetic("ORR", .or, "0010"),
        arithmetic("MVN", .moveNot, "0011", first: "1111"), arithmetic("ORN", .orNot, "0011"),
        arithmetic("TEQ", .testEqual, "0100", destination: "1111"), arithmetic("EOR", .exclusiveOr, "0100"),
        arithmetic("CMN", .compareNegative, "1000", destination: "1111"), arithmetic("ADD", .add, "1000"),
        arithmetic("ADC", .addCarry, "1010"), arithmetic("SBC", .subtractCarry, "1011"),
        arithmetic("CMP", .compare, "1101", destination: "1111"), arithmetic("SUB", .subtract, "1101"),
        arithmetic("RSB", .reverseSubtract, "1110"),
    ].flatMap { $0 }

    /// 32-bit instructions with a plain binary constant, which is not expanded (A5.3.3).
    private static let longConstants = [
        Encoding("ADR", .address, "11110 i 100000 1111 0 iii dddd iiiiiiii"),
        Encoding("ADR", .address, "11110 i 101010 1111 0 iii dddd iiiiiiii", .times(-1)),
        Encoding("ADD", .arithmetic(.add), "11110 i 100000 nnnn 0 iii dddd iiiiiiii"),
        Encoding("SUB", .arithmetic(.subtract), "11110 i 101010 nnnn 0 iii dddd iiiiiiii"),
        Encoding("MOVW", .moveHalf(.lower), "11110 i 100100 jjjj 0 iii dddd iiiiiiii"),
        Encoding("MOVT", .moveHalf(.upper), "11110 i 101100 jjjj 0 iii dddd iiiiiiii"),
        Encoding("SSAT", .saturate(.signed), "11110 - 110000 nnnn 0 sss dddd ss - iiiii"),
        Encoding("SSAT16", .saturateHalfwords(.signed), "11110 - 110010 nnnn 0 000 dddd 00 - iiiii"),
        Encoding("SSAT", .saturate(.signed), "11110 - 110010 nnnn 0 sss dddd ss - iiiii", shift: .arithmeticRight),
        Encoding("SBFX", .bitField(.extractSigned), "11110 - 110100 nnnn 0 sss dddd ss - iiiii"),
        Encoding("BFC", .bitField(.clear), "11110 - 110110 1111 0 sss dddd ss - iiiii", isDefined: isField),
        Encoding("BFI", .bitField(.insert), "11110 - 110110 nnnn 0 sss dddd ss - iiiii", isDefined: isField),
        Encoding("USAT", .saturate(.unsigned), "11110 - 111000 nnnn 0 sss dddd ss - iiiii"),
        Encoding("USAT16", .saturateHalfwords(.unsigned), "11110 - 111010 nnnn 0 000 dddd 00 - iiiii"),
        Encoding("USAT", .saturate(.unsigned), "11110 - 111010 nnnn 0 sss dddd ss - iiiii", shift: .arithmeticRight),
        Encoding("UBFX", .bitField(.extractUnsigned), "11110 - 111100 nnnn 0 sss dddd ss - iiiii"),
    ]

    @Sendable private static func isField(_ instruction: Instruction) -> Bool {
        instruction.constant >= instruction.shift.amount
    }

    /// 32-bit branches, moves to and from special registers, hints and barriers (A5.3.4).
    private static let control = [
        Encoding("BL", .branch(.link), "11110 - iiiiiiiiii 11 - 1 - iiiiiiiiiii", .farRelative),
        Encoding("B", .branch(.always), "11110 - iiiiiiiiii 10 - 1 - iiiiiiiiiii", .farRelative),
        Encoding("MSR", .system(.write), "11110011100 - nnnn 10 - 0 xx -- iiiiiiii"),
        Encoding("WFE", .system(.waitForEvent), "111100111010 ---- 10 - 0 ---- 0000 0010"),
        Encoding("WFI", .system(.waitForInterrupt), "111100111010 ---- 10 - 0 ---- 0000 0011"),
        Encoding("SEV", .system(.sendEvent), "111100111010 ---- 10 - 0 ---- 0000 0100"),
        Encoding("NOP", .system(.none), "111100111010 ---- 10 - 0 ---- ---- ----"),
        Encoding("CLREX", .clearExclusive, "111100111011 ---- 10 - 0 ---- 0010 ----"),
        Encoding("DSB", .system(.barrier), "111100111011 ---- 10 - 0 ---- 0100 ----"),
        Encoding("DMB", .system(.barrier), "111100111011 ---- 10 - 0 ---- 0101 ----"),
        Encoding("ISB", .system(.barrier), "111100111011 ---- 10 - 0 ---- 0110 ----"),
        Encoding("MRS", .system(.read), "11110011111 - ---- 10 - 0 dddd iiiiiiii"),
        Encoding("UDF", .undefined, "11110 - 111 ------- 10 - 0 ------------"),
        Encoding("B", .branch(.conditional), "11110 - xxxx iiiiii 10 - 0 - iiiiiiiiiii", .conditionalRelative),
    ]

    /// Shifts by a register, and operations on one or two registers (A5.3.12 and A5.3.15).
    private static let onRegisters = [
        Encoding("LSL", .shift(.left), "11111010000 f nnnn 1111 dddd 0000 mmmm"),
        Encoding("LSR", .shift(.logicalRight), "11111010001 f nnnn 1111 dddd 0000 mmmm"),
        Encoding("ASR", .shift(.arithmeticRight), "11111010010 f nnnn 1111 dddd 0000 mmmm"),
        Encoding("ROR", .shift(.rotateRight), "11111010011 f nnnn 1111 dddd 0000 mmmm"),
        Encoding("QADD", .saturatingAdd(.add), "111110101000 nnnn 1111 dddd 1000 mmmm"),
        Encoding("QDADD", .saturatingAdd(.doubleAdd), "111110101000 nnnn 1111 dddd 1001 mmmm"),
        Encoding("QSUB", .saturatingAdd(.subtract), "111110101000 nnnn 1111 dddd 1010 mmmm"),
        Encoding("QDSUB", .saturatingAdd(.doubleSubtract), "111110101000 nnnn 1111 dddd 1011 mmmm"),
        Encoding("REV", .bits(.reverseBytes), "111110101001 ---- 1111 dddd 1000 mmmm"),
        Encoding("REV16", .bits(.reverseBytesOfHalfwords), "111110101001 ---- 1111 dddd 1001 mmmm"),
        Encoding("RBIT", .bits(.reverseBits), "111110101001 ---- 1111 dddd 1010 mmmm"),
        Encoding("REVSH", .bits(.reverseSignedHalfword), "111110101001 ---- 1111 dddd 1011 mmmm"),
        Encoding("SEL", .select, "111110101010 nnnn 1111 dddd 1000 mmmm"),
        Encoding("CLZ", .bits(.countLeadingZeros), "111110101011 ---- 1111 dddd 1000 mmmm"),
        Encoding("PKHBT", .pack(.lower), "111010101100 nnnn 0 sss dddd ss 00 mmmm"),
        Encoding("PKHTB", .pack(.upper), "111010101100 nnnn 0 sss dddd ss 10 mmmm", shift: .arithmeticRight),
    ]

    /// Sign and zero extensions, and parallel arithmetic on the bytes or halfwords of a word (A5.3.12 to A5.3.14).
    private static let lanes: [Encoding] = {
        let parts: [(letter: String, part: ExtendedPart, code: String)] = [
            ("H", .halfword, "00"), ("B16", .bytePair, "01"), ("B", .byte, "10"),
        ]
        let signs: [(letter: String, signedness: Signedness, code: String)] = [
            ("S", .signed, "0"), ("U", .unsigned, "1"),
        ]
        let operations: [(name: String, operation: ParallelArithmetic, code: String)] = [
            ("ADD8", .add8, "000"), ("ADD16", .add16, "001"), ("ASX", .addSubtractExchange, "010"),
            ("SUB8", .subtract8, "100"), ("SUB16", .subtract16, "101"), ("SAX", .subtractAddExchange, "110"),
        ]
        let results: [(prefix: String, result: LaneResult, signedness: Signedness, code: String)] = [
            ("S", .wrapping, .signed, "000"), ("Q", .saturating, .signed, "001"), ("SH", .halving, .signed, "010"),
            ("U", .wrapping, .unsigned, "100"), ("UQ", .saturating, .unsigned, "101"),
            ("UH", .halving, .unsigned, "110"),
        ]
        let extensions = parts.flatMap { part in
            signs.flatMap { sign in
                [("", "1111"), ("A", "nnnn")].map { added, first in
                    Encoding(
                        "\(sign.letter)XT\(added)\(part.letter)", .extend(part.part, sign.signedness),
                        "111110100 \(part.code) \(sign.code) \(first) 1111 dddd 1 - ss mmmm")
                }
            }
        }
        return extensions
            + operations.flatMap { lane in
                results.map { kind in
                    Encoding(
                        kind.prefix + lane.name, .parallel(lane.operation, kind.result, kind.signedness),
                        "111110101 \(lane.code) nnnn 1111 dddd 0 \(kind.code) mmmm")
                }
            }
    }()

    /// 32-bit multiplications, divisions, and sums of absolute differences (A5.3.16 and A5.3.17).
    private static let multiplications = [
        Encoding("MUL", .multiply(.word), "111110110000 nnnn 1111 dddd -- 00 mmmm"),
        Encoding("MLA", .multiply(.wordAdd), "111110110000 nnnn aaaa dddd -- 00 mmmm"),
        Encoding("MLS", .multiply(.wordSubtract), "111110110000 nnnn aaaa dddd -- 01 mmmm"),
        Encoding("SMUL<x><y>", .multiply(.halfwords), "111110110001 nnnn 1111 dddd -- xx mmmm"),
        Encoding("SMLA<x><y>", .multiply(.halfwordsAdd), "111110110001 nnnn aaaa dddd -- xx mmmm"),
        Encoding("SMUAD{X}", .multiply(.dual), "111110110010 nnnn 1111 dddd --- x mmmm"),
        Encoding("SMLAD{X}", .multiply(.dualAdd), "111110110010 nnnn aaaa dddd --- x mmmm"),
        Encoding("SMULW<y>", .multiply(.wordByHalfword), "111110110011 nnnn 1111 dddd --- x mmmm"),
        Encoding("SMLAW<y>", .multiply(.wordByHalfwordAdd), "111110110011 nnnn aaaa dddd --- x mmmm"),
        Encoding("SMUSD{X}", .multiply(.dualDifference), "111110110100 nnnn 1111 dddd --- x mmmm"),
        Encoding("SMLSD{X}", .multiply(.dualDifferenceAdd), "111110110100 nnnn aaaa dddd --- x mmmm"),
        Encoding("SMMUL{R}", .multiply(.highWord), "111110110101 nnnn 1111 dddd --- x mmmm"),
        Encoding("SMMLA{R}", .multiply(.highWordAdd), "111110110101 nnnn aaaa dddd --- x mmmm"),
        Encoding("SMMLS{R}", .multiply(.highWordSubtract), "111110110110 nnnn aaaa dddd --- x mmmm"),
        Encoding("USAD8", .absoluteDifferences, "111110110111 nnnn 1111 dddd -- 00 mmmm"),
        Encoding("USADA8", .absoluteDifferences, "111110110111 nnnn aaaa dddd -- 00 mmmm"),
        Encoding("SMULL", .multiply(.longSigned), "111110111000 nnnn aaaa dddd 0000 mmmm"),
        Encoding("SDIV", .divide(.signed), "111110111001 nnnn ---- dddd 1111 mmmm"),
        Encoding("UMULL", .multiply(.longUnsigned), "111110111010 nnnn aaaa dddd 0000 mmmm"),
        Encoding("UDIV", .divide(.unsigned), "111110111011 nnnn ---- dddd 1111 mmmm"),
        Encoding("SMLAL", .multiply(.longSignedAdd), "111110111100 nnnn aaaa dddd 0000 mmmm"),
        Encoding("SMLAL<x><y>", .multiply(.halfwordsLongAdd), "111110111100 nnnn aaaa dddd 10 xx mmmm"),
        Encoding("SMLALD{X}", .multiply(.dualLongAdd), "111110111100 nnnn aaaa dddd 110 x mmmm"),
        Encoding("SMLSLD{X}", .multiply(.dualDifferenceLongAdd), "111110111101 nnnn aaaa dddd 110 x mmmm"),
        Encoding("UMLAL", .multiply(.longUnsignedAdd), "111110111110 nnnn aaaa dddd 0000 mmmm"),
        Encoding("UMAAL", .multiply(.longUnsignedAddBoth), "111110111110 nnnn aaaa dddd 0110 mmmm"),
    ]

    /// Loads and stores of several registers, exclusive accesses, and table branches (A5.3.5 and A5.3.6).
    private static let multipleAccesses = [
        Encoding("POP", .multiple(.load, .after), "111010001 0 11 1101 iiiiiiiiiiiiiiii", first: 13, indexing: .before),
        Encoding(
            "PUSH", .multiple(.store, .before), "111010010 0 10 1101 iiiiiiiiiiiiiiii", first: 13, indexing: .before),
        Encoding("STM", .multiple(.store, .after), "111010001 0 w 0 nnnn iiiiiiiiiiiiiiii"),
        Encoding("LDM", .multiple(.load, .after), "111010001 0 w 1 nnnn iiiiiiiiiiiiiiii"),
        Encoding("STMDB", .multiple(.store, .before), "111010010 0 w 0 nnnn iiiiiiiiiiiiiiii"),
        Encoding("LDMDB", .multiple(.load, .before), "111010010 0 w 1 nnnn iiiiiiiiiiiiiiii"),
        Encoding("STREX", .storeExclusive(.storeWord), "111010000100 nnnn aaaa dddd iiiiiiii", .times(4)),
        Encoding("LDREX", .loadExclusive(.loadWord), "111010000101 nnnn dddd ---- iiiiiiii", .times(4)),
        Encoding("STREXB", .storeExclusive(.storeByte), "111010001100 nnnn aaaa ---- 0100 dddd"),
        Encoding("LDREXB", .loadExclusive(.loadByte), "111010001101 nnnn dddd ---- 0100 ----"),
        Encoding("STREXH", .storeExclusive(.storeHalfword), "111010001100 nnnn aaaa ---- 0101 dddd"),
        Encoding("LDREXH", .loadExclusive(.loadHalfword), "111010001101 nnnn dddd ---- 0101 ----"),
        Encoding("TBB", .branch(.byteTable), "111010001101 nnnn -------- 0000 mmmm"),
        Encoding("TBH", .branch(.halfwordTable), "111010001101 nnnn -------- 0001 mmmm"),
        Encoding("UDF", .undefined, "11101000 - 1 0 - ---- ----------------"),
        Encoding("STRD", .dual(.store), "1110100 p u 1 w 0 nnnn dddd aaaa iiiiiiii", .times(4)),
        Encoding("LDRD", .dual(.load), "1110100 p u 1 w 1 nnnn dddd aaaa iiiiiiii", .times(4)),
    ]

    /// 32-bit loads and stores of one register (A5.3.7 to A5.3.10).
    private static let accesses: [Encoding] = {
        let loads: [(name: String, kind: MemoryAccess, sign: String, size: String)] = [
            ("LDRB", .loadByte, "0", "00"), ("LDRSB", .loadSignedByte, "1", "00"), ("LDRH", .loadHalfword, "0", "01"),
            ("LDRSH", .loadSignedHalfword, "1", "01"), ("LDR", .loadWord, "0", "10"),
        ]
        let stores: [(name: String, kind: MemoryAccess, size: String)] = [
            ("STRB", .storeByte, "00"), ("STRH", .storeHalfword, "01"), ("STR", .storeWord, "10"),
        ]
        /// Returns the five encodings of a load or store. One of them is the unprivileged access.
        ///
        /// - Parameters:
        ///   - added: the pattern of bits 31 to 24.
        ///   - size: the pattern of bits 22 to 20.
        func forms(_ name: String, _ kind: MemoryAccess, _ added: String, _ size: String) -> [Encoding] {
            [
                Encoding(name, .access(kind), "\(added) 1 \(size) nnnn dddd iiiiiiiiiiii"),
                Encoding(name, .access(kind), "\(added) 0 \(size) nnnn dddd 000000 ss mmmm"),
                Encoding("\(name)T", .unprivilegedAccess(kind), "\(added) 0 \(size) nnnn dddd 1110 iiiiiiii"),
                Encoding(name, .access(kind), "\(added) 0 \(size) nnnn dddd 11 u 0 iiiiiiii"),
                Encoding(name, .access(kind), "\(added) 0 \(size) nnnn dddd 1 p u 1 iiiiiiii"),
            ]
        }
        let loading = loads.flatMap { name, kind, sign, size in
            // The architecture defines loads of bytes and halfwords into register 15 as cache hints.
            let hints =
                kind == .loadWord
                ? [] : [Encoding("NOP", .system(.none), "1111100 \(sign) - \(size) 1 ---- 1111 ------------")]
            return hints
                + [Encoding(name, .access(kind), "1111100 \(sign) u \(size) 1 1111 dddd iiiiiiiiiiii")]
                + forms(name, kind, "1111100 \(sign)", "\(size) 1")
        }
        return [Encoding("UDF", .undefined, "1111100 - - -- 0 1111 ----------------")] + loading
            + stores.flatMap { forms($0, $1, "1111100 0", "\($2) 0") }
    }()

    /// Calculations with single-precision numbers (A5.3.18, A6.4 and A6.5).
    private static let floats =
        [
            Encoding("VMLA", .float(.multiplyThenAdd), "11101110 0 D 00 nnnn dddd 1010 N 0 M 0 mmmm"),
            Encoding("VMLS", .float(.multiplyThenSubtract), "11101110 0 D 00 nnnn dddd 1010 N 1 M 0 mmmm"),
            Encoding("VNMLS", .float(.negatedMultiplyThenSubtract), "11101110 0 D 01 nnnn dddd 1010 N 0 M 0 mmmm"),
            Encoding("VNMLA", .float(.negatedMultiplyThenAdd), "11101110 0 D 01 nnnn dddd 1010 N 1 M 0 mmmm"),
            Encoding("VMUL", .float(.multiply), "11101110 0 D 10 nnnn dddd 1010 N 0 M 0 mmmm"),
            Encoding("VNMUL", .float(.multiplyNegated), "11101110 0 D 10 nnnn dddd 1010 N 1 M 0 mmmm"),
            Encoding("VADD", .float(.add), "11101110 0 D 11 nnnn dddd 1010 N 0 M 0 mmmm"),
            Encoding("VSUB", .float(.subtract), "11101110 0 D 11 nnnn dddd 1010 N 1 M 0 mmmm"),
            Encoding("VDIV", .float(.divide), "11101110 1 D 00 nnnn dddd 1010 N 0 M 0 mmmm"),
            Encoding("VFNMS", .float(.negatedFusedSubtract), "11101110 1 D 01 nnnn dddd 1010 N 0 M 0 mmmm"),
            Encoding("VFNMA", .float(.negatedFusedAdd), "11101110 1 D 01 nnnn dddd 1010 N 1 M 0 mmmm"),
            Encoding("VFMA", .float(.fusedAdd), "11101110 1 D 10 nnnn dddd 1010 N 0 M 0 mmmm"),
            Encoding("VFMS", .float(.fusedSubtract), "11101110 1 D 10 nnnn dddd 1010 N 1 M 0 mmmm"),
            Encoding("VMOV", .float(.constant), "11101110 1 D 11 iiii dddd 1010 - 0 - 0 iiii", .float),
            Encoding("VMOV", .float(.move), "11101110 1 D 11 0000 dddd 1010 0 1 M 0 mmmm"),
            Encoding("VABS", .float(.absolute), "11101110 1 D 11 0000 dddd 1010 1 1 M 0 mmmm"),
            Encoding("VNEG", .float(.negate), "11101110 1 D 11 0001 dddd 1010 0 1 M 0 mmmm"),
            Encoding("VSQRT", .float(.squareRoot), "11101110 1 D 11 0001 dddd 1010 1 1 M 0 mmmm"),
            Encoding("VCVTB", .float(.fromHalf(.lower)), "11101110 1 D 11 0010 dddd 1010 0 1 M 0 mmmm"),
            Encoding("VCVTT", .float(.fromHalf(.upper)), "11101110 1 D 11 0010 dddd 1010 1 1 M 0 mmmm"),
            Encoding("VCVTB", .float(.toHalf(.lower)), "11101110 1 D 11 0011 dddd 1010 0 1 M 0 mmmm"),
            Encoding("VCVTT", .float(.toHalf(.upper)), "11101110 1 D 11 0011 dddd 1010 1 1 M 0 mmmm"),
            Encoding("VCMP", .float(.compare(.quiet)), "11101110 1 D 11 0100 dddd 1010 0 1 M 0 mmmm"),
            Encoding("VCMPE", .float(.compare(.signaling)), "11101110 1 D 11 0100 dddd 1010 1 1 M 0 mmmm"),
            Encoding("VCMP", .float(.compareZero(.quiet)), "11101110 1 D 11 0101 dddd 1010 0 1 - 0 ----"),
            Encoding("VCMPE", .float(.compareZero(.signaling)), "11101110 1 D 11 0101 dddd 1010 1 1 - 0 ----"),
            Encoding("VCVT", .float(.fromInteger(.unsigned)), "11101110 1 D 11 1000 dddd 1010 0 1 M 0 mmmm"),
            Encoding("VCVT", .float(.fromInteger(.signed)), "11101110 1 D 11 1000 dddd 1010 1 1 M 0 mmmm"),
            Encoding("VCVTR", .float(.toInteger(.unsigned, nil)), "11101110 1 D 11 1100 dddd 1010 0 1 M 0 mmmm"),
            Encoding(
                "VCVT", .float(.toInteger(.unsigned, .towardsZero)), "11101110 1 D 11 1100 dddd 1010 1 1 M 0 mmmm"),
            Encoding("VCVTR", .float(.toInteger(.signed, nil)), "11101110 1 D 11 1101 dddd 1010 0 1 M 0 mmmm"),
            Encoding("VCVT", .float(.toInteger(.signed, .towardsZero)), "11101110 1 D 11 1101 dddd 1010 1 1 M 0 mmmm"),
        ] + fixedNumbers

    private static let fixedNumbers: [Encoding] =
        [("0", Signedness.signed), ("1", .unsigned)].flatMap { sign, signedness in
            [("0", 16 as UInt8), ("1", 32)].flatMap { size, bits in
                [
                    ("0", FloatOperation.fromFixed(signedness, bits: bits)), ("1", .toFixed(signedness, bits: bits)),
                ].map { direction, operation in
                    Encoding(
                        "VCVT", .float(operation),
                        "11101110 1 D 11 1 \(direction) 1 \(sign) dddd 1010 \(size) 1 M 0 mmmm"
                    ) { $0.second <= bits }
                }
            }
        }

    /// Moves, loads and stores of floating-point registers (A6.6 and A6.7).
    private static let floatTransfers =
        [
            Encoding("VMOV", .float(.fromCore), "111011100000 dddd nnnn 1010 D -- 1 ----"),
            Encoding("VMOV", .float(.toCore), "111011100001 nnnn dddd 1010 N -- 1 ----"),
            Encoding("VMOV", .float(.fromCore), "11101110 00 D 0 dddd nnnn 1011 - 00 1 ----"),
            Encoding("VMOV", .float(.toCore), "11101110 00 N 1 nnnn dddd 1011 - 00 1 ----"),
            Encoding("VMSR", .float(.writeStatus), "111011101110 ---- nnnn 1010 --- 1 ----"),
            Encoding("VMRS", .float(.readStatus), "111011101111 ---- dddd 1010 --- 1 ----"),
            Encoding("VMOV", .float(.pairFromCore), "111011000100 aaaa nnnn 1010 -- D - dddd") { $0.destination < 31 },
            Encoding("VMOV", .float(.pairToCore), "111011000101 aaaa nnnn 1010 -- D - dddd") { $0.destination < 31 },
            Encoding("VMOV", .float(.pairFromCore), "111011000100 aaaa nnnn 1011 ---- eeee"),
            Encoding("VMOV", .float(.pairToCore), "111011000101 aaaa nnnn 1011 ---- eeee"),
            Encoding("VSTR", .float(.access(.store, count: 1)), "11101101 u D 00 nnnn dddd 1010 iiiiiiii", .times(4)),
            Encoding("VLDR", .float(.access(.load, count: 1)), "11101101 u D 01 nnnn dddd 1010 iiiiiiii", .times(4)),
            Encoding("VSTR", .float(.access(.store, count: 2)), "11101101 u - 00 nnnn eeee 1011 iiiiiiii", .times(4)),
            Encoding("VLDR", .float(.access(.load, count: 2)), "11101101 u - 01 nnnn eeee 1011 iiiiiiii", .times(4)),
        ]
        + [
            multiple("VSTM", .store, .after, "0 1", "w 0"), multiple("VLDM", .load, .after, "0 1", "w 1"),
            multiple("VSTM", .store, .before, "1 0", "1 0"), multiple("VLDM", .load, .before, "1 0", "1 1"),
        ].flatMap { $0 }

    /// Returns two encodings of VLDM or VSTM: for single-precision and for double-precision registers. An instruction whose list
    /// goes beyond S31 is undefined.
    private static func multiple(
        _ name: String, _ direction: TransferDirection, _ order: MultipleOrder, _ added: String, _ code: String
    ) -> [Encoding] {
        ["\(added) D \(code) nnnn dddd 1010", "\(added) - \(code) nnnn eeee 1011"].map { bits in
            Encoding(
                name, .float(.multiple(direction, order)), "1110110 \(bits) iiiiiiii",
                indexing: order == .before ? .before : .offset
            ) { UInt32($0.destination) + $0.constant <= 32 }
        }
    }
}
