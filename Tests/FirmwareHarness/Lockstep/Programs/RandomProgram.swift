import Emulator
import Foundation
import WatchLink

/// A program of random instructions, whose image starts at address 0. The image has four vectors, code that sets the
/// registers, random instructions with host calls between them, an ending, and data for loads of literals.
struct RandomProgram {
    /// The memory that the program's loads and stores access. In most of these instructions, the base register has the
    /// value `base`.
    static let scratch: Range<UInt32> = 0x2000_4000..<0x2000_6100
    static let base: UInt32 = 0x2000_5000
    static let stack: UInt32 = 0x2000_4800
    /// The number of halfwords between two host calls, which is about 100 instructions.
    private static let stretch = 150
    /// The first address after the vectors: the stack, reset, NMI and hard fault.
    static let entry: UInt32 = 16

    private(set) var halfwords: [UInt16] = []
    private(set) var answers: [HostAnswer] = []
    private(set) var ending: LockstepProgram.Ending = .call(0)
    private var random: SplitMix64

    /// - Parameters:
    ///   - seed: an even seed gives a program that ends in a fault. An odd seed gives one that ends asleep.
    ///   - length: the minimum number of halfwords before the ending.
    init(seed: UInt64, length: Int) {
        random = SplitMix64(seed: seed)
        append([UInt16(truncatingIfNeeded: RandomProgram.stack), UInt16(RandomProgram.stack >> 16)])
        append([UInt16(RandomProgram.entry) | 1, 0, 0, 0, 0, 0])
        beginFloat()
        for register in 0...11 as ClosedRange<UInt32> { load(register, number()) }
        load(12, RandomProgram.base)
        load(14, number() | 1)
        while halfwords.count < length {
            let end = halfwords.count + RandomProgram.stretch
            while halfwords.count < end { appendRandom() }
            appendHostCall()
        }
        appendEnding(asleep: seed % 2 == 1)
        for _ in 0..<RandomProgram.behind { append([UInt16(truncatingIfNeeded: random.next())]) }
    }

    /// The number of halfwords of data after the ending. A load of a literal cannot reach beyond this data.
    private static let behind = 2_100

    var bytes: [UInt8] { halfwords.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } }

    // MARK: Drawing

    mutating func draw(_ limit: UInt64) -> UInt64 { random.next() % limit }

    private mutating func number() -> UInt32 {
        let edges: [UInt32] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FFF_8000, 0x0080_FF7F]
        let place = draw(UInt64(edges.count) * 2)
        return place < edges.count ? edges[Int(place)] : UInt32(truncatingIfNeeded: random.next())
    }

    mutating func append(_ code: [UInt16]) { halfwords += code }

    /// Appends MOVW and MOVT, which set a register to a value.
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

    mutating func code(of form: InstructionForm, _ fixed: [Character: UInt32] = [:]) -> [UInt16] {
        return form.draw(&random, fixed)
    }

    mutating func append(_ form: InstructionForm, _ fixed: [Character: UInt32] = [:]) {
        append(code(of: form, fixed))
    }

    var nextAddress: UInt32 { UInt32(halfwords.count) * 2 }

    private mutating func appendBlock() {
        let length = 1 + draw(4)
        // The mask has a bit for each instruction except the first: then, or else. A 1 ends the mask.
        let condition = draw(14)
        var mask: UInt64 = 0
        for place in 0..<length - 1 { mask |= (condition & 1 ^ draw(2)) << (3 - place) }
        mask |= 1 << (4 - length)
        append([UInt16(0xBF00 | condition << 4 | mask)])
        for _ in 0..<length {
            var drawn = form(InstructionForm.onRegisters)
            while drawn.isOutsideBlocks { drawn = form(InstructionForm.onRegisters) }
            append(drawn)
        }
    }

    private mutating func appendHostCall() {
        var writes: [HostAnswer.Write] = []
        if draw(2) == 0 {
            let offset = UInt32(draw(UInt64(RandomProgram.scratch.count - 64)))
            let bytes = (0...draw(63)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            writes = [HostAnswer.Write(address: RandomProgram.scratch.lowerBound + offset, bytes: bytes)]
        }
        answers.append(HostAnswer(call: nextAddress, result: number(), writes: writes))
        append([0xBE54])
    }

    private mutating func appendEnding(asleep: Bool) {
        // CPSIE if. A fault while FAULTMASK is set would lock the processor up.
        append([0xB663])
        if asleep {
            ending = .sleep(nextAddress)
            append([0xBF30])
        } else {
            append([0xDE00 | UInt16(draw(256))])
            ending = .fault(handler: nextAddress)
            (halfwords[6], halfwords[7]) = (UInt16(truncatingIfNeeded: nextAddress | 1), UInt16(nextAddress >> 16))
        }
        // B to itself.
        append([0xE7FE])
    }
}

/// A random program, and its bytes in a file for QEMU. `deinit` deletes the file.
final class RandomRun {
    let program: LockstepProgram

    /// In halfwords. A program has about 45,000 instructions, so that the start of QEMU takes a small share of the
    /// time.
    static let length = 90_000

    init(_ seed: UInt64, length: Int = RandomRun.length) throws(LockstepError) {
        let random = RandomProgram(seed: seed, length: length)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        do {
            try Data(random.bytes).write(to: file)
        } catch {
            throw .unusable("\(file.path): \(error)")
        }
        let memory = MemoryMap(flash: random.bytes, ramSize: Comparison.ram.count)
        program = LockstepProgram(
            kind: .random, name: "\(seed)", image: file.path,
            processor: CortexM4(memory: memory, entry: RandomProgram.entry, stack: RandomProgram.stack),
            answers: random.answers, ending: random.ending)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: program.image)
    }
}
