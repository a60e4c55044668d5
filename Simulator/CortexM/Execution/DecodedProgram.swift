/// The instructions of a flash, each read once: one for every halfword, because an instruction may begin at any.
struct DecodedProgram: Sendable {
    struct Entry: Sendable {
        var instruction: Instruction
        var timing: InstructionTiming
        /// 2 or 4 bytes.
        var length: UInt8

        init(_ decoded: Decoder.Decoded) {
            instruction = decoded.instruction
            timing = InstructionTiming(decoded.instruction)
            length = decoded.length
        }
    }

    private let entries: [Entry]
    private let start: UInt32

    /// - Parameters:
    ///   - flash: its contents.
    ///   - start: its first address, an even one.
    init(_ flash: [UInt8], from start: UInt32) {
        self.start = start
        let halfwords = (0..<flash.count / 2).map { (index: Int) -> UInt16 in
            UInt16(flash[2 * index]) | UInt16(flash[2 * index + 1]) &<< 8
        }
        entries = halfwords.indices.map { (index: Int) -> Entry in
            let next: UInt16 = index + 1 < halfwords.count ? halfwords[index + 1] : 0
            return Entry(Decoder.decode(halfwords[index], next))
        }
    }

    /// The instruction at an even address; nil where the flash has none.
    @inline(__always)
    subscript(_ address: UInt32) -> Entry? {
        let index = Int((address &- start) &>> 1)
        return index < entries.count ? entries[index] : nil
    }
}

extension CortexM4 {
    /// The instruction at an address: from flash as it was read, from RAM as it is now.
    @inline(__always)
    func fetch(_ program: DecodedProgram, _ address: UInt32) throws(Trap) -> DecodedProgram.Entry {
        if let entry = program[address] { return entry }
        let first = try memory.load(address, as: UInt16.self)
        guard first >= 0xE800 else { return DecodedProgram.Entry(Decoder.decode(first, 0)) }
        return DecodedProgram.Entry(Decoder.decode(first, try memory.load(address &+ 2, as: UInt16.self)))
    }
}
