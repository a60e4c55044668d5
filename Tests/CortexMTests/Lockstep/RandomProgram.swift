import WatchLink

/// A program of random instructions, from address 0: two vectors, the registers' first values, the instructions, the memory
/// that they have written read into a register, word by word, and a loop without an end.
struct RandomProgram {
    /// Its middle is the base of every access, in register 12.
    static let scratch: Range<UInt32> = 0x2000_4000..<0x2000_6100
    static let base: UInt32 = 0x2000_5000
    static let stack: UInt32 = 0x2000_4800

    private(set) var halfwords: [UInt16] = []
    /// The names of the forms in it, with how many of each.
    private(set) var forms: [String: Int] = [:]
    private var random: SplitMix64

    /// - Parameter count: how many random instructions.
    init(seed: UInt64, count: Int) {
        random = SplitMix64(seed: seed)
        append([UInt16(truncatingIfNeeded: RandomProgram.stack), UInt16(RandomProgram.stack >> 16), 9, 0])
        beginFloat()
        for register in 0...11 as ClosedRange<UInt32> { load(register, number()) }
        load(12, RandomProgram.base)
        load(14, number() | 1)
        while forms.values.reduce(0, +) < count { appendRandom() }
        dump()
        // B to itself.
        append([0xE7FE])
    }

    /// The address of the loop at the end.
    var end: UInt32 { UInt32(halfwords.count - 1) * 2 }

    var bytes: [UInt8] { halfwords.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } }

    // MARK: Drawing

    mutating func draw(_ limit: UInt64) -> UInt64 { random.next() % limit }

    /// A number that is often one at an edge.
    private mutating func number() -> UInt32 {
        let edges: [UInt32] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FFF_8000, 0x0080_FF7F]
        let place = draw(UInt64(edges.count) * 2)
        return place < edges.count ? edges[Int(place)] : UInt32(truncatingIfNeeded: random.next())
    }

    mutating func append(_ code: [UInt16]) { halfwords += code }

    /// MOVW and MOVT.
    mutating func load(_ register: UInt32, _ value: UInt32) {
        for (half, opcode) in [(value & 0xFFFF, 0xF240 as UInt32), (value >> 16, 0xF2C0)] {
            append([
                UInt16(opcode | half >> 12 | (half >> 11 & 1) << 10),
                UInt16((half >> 8 & 7) << 12 | register << 8 | half & 0xFF),
            ])
        }
    }

    private mutating func appendRandom() {
        switch draw(20) {
        case 0: appendBlock()
        case 1: load(UInt32(draw(12)), number())
        case 2...7: appendAccess()
        case 8, 9: appendBranch()
        case 10...13: appendFloat()
        case _: append(form(InstructionForm.onRegisters))
        }
    }

    mutating func form(_ forms: [InstructionForm]) -> InstructionForm { forms[Int(draw(UInt64(forms.count)))] }

    mutating func note(_ name: String) { forms[name, default: 0] += 1 }

    mutating func code(of form: InstructionForm, _ fixed: [Character: UInt32] = [:]) -> [UInt16] {
        note(form.name)
        return form.draw(&random, fixed)
    }

    mutating func append(_ form: InstructionForm, _ fixed: [Character: UInt32] = [:]) {
        append(code(of: form, fixed))
    }

    var nextAddress: UInt32 { UInt32(halfwords.count) * 2 }

    /// An IT block.
    private mutating func appendBlock() {
        let length = 1 + draw(4)
        // Then, or else, for each instruction but the first; a 1 ends the mask.
        let condition = draw(14)
        var mask: UInt64 = 0
        for place in 0..<length - 1 { mask |= (condition & 1 ^ draw(2)) << (3 - place) }
        mask |= 1 << (4 - length)
        append([UInt16(0xBF00 | condition << 4 | mask)])
        note("IT")
        for _ in 0..<length {
            var drawn = form(InstructionForm.onRegisters)
            while drawn.place == .outsideBlocks { drawn = form(InstructionForm.onRegisters) }
            append(drawn)
        }
    }

    /// Reads what was written.
    private mutating func dump() {
        load(12, RandomProgram.scratch.lowerBound)
        for _ in stride(from: RandomProgram.scratch.lowerBound, to: RandomProgram.scratch.upperBound, by: 4) {
            // LDR r0, [r12], #4
            append([0xF85C, 0x0B04])
        }
    }
}
