import Emulator
import Foundation
import WatchLink

/// A random program that makes exceptions pending, changes priorities and masks, and causes faults. Its exception
/// handlers do the same, until the fuel, a counter in RAM, is used up. The image starts at address 0.
///
/// A fault handler skips four bytes and sets the Thumb bit, so two NOPs follow each instruction that may fault.
/// The comparison does not see system registers, so the program reads system registers into core registers.
struct ExceptionProgram {
    private static let fuel: UInt32 = 0x2000_0000
    private static let scratch: UInt32 = 0x2000_0100
    private static let stack: UInt32 = 0x2000_4000
    private static let processStack: UInt32 = 0x2000_6000
    /// The start of the areas whose access the memory protection unit restricts.
    private static let guarded: UInt32 = 0x2000_8000
    /// The interrupts that the program uses. QEMU's chip has 32.
    private static let interrupts: [UInt32] = [0, 1, 2, 3, 4, 30, 31]
    private static let vectors = 48

    private(set) var halfwords: [UInt16] = []
    private(set) var end: UInt32 = 0
    private var random: SplitMix64
    private let hasProtection: Bool

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        hasProtection = random.next() % 2 == 0
        append([UInt16](repeating: 0, count: 2 * ExceptionProgram.vectors))
        set(vector: 0, ExceptionProgram.stack)
        for exception in [2, 3, 4, 5, 6, 11, 14] + ExceptionProgram.interrupts.map({ Int($0) + 16 }) {
            set(vector: exception, nextAddress | 1)
            appendHandler(exception)
        }
        set(vector: 1, nextAddress | 1)
        appendMain()
    }

    var bytes: [UInt8] { halfwords.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } }
    var entry: UInt32 { UInt32(halfwords[2]) | UInt32(halfwords[3]) << 16 }

    private var nextAddress: UInt32 { UInt32(halfwords.count) * 2 }

    private mutating func set(vector: Int, _ word: UInt32) {
        (halfwords[2 * vector], halfwords[2 * vector + 1]) = (UInt16(truncatingIfNeeded: word), UInt16(word >> 16))
    }

    private mutating func append(_ code: [UInt16]) { halfwords += code }

    private mutating func draw(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func draw<Element>(of elements: [Element]) -> Element { elements[draw(elements.count)] }

    /// Appends MOVW and MOVT, which set a register to a value.
    private mutating func load(_ register: UInt32, _ value: UInt32) {
        for (half, opcode) in [(value & 0xFFFF, 0xF240 as UInt32), (value >> 16, 0xF2C0)] {
            append([
                UInt16(opcode | half >> 12 | (half >> 11 & 1) << 10),
                UInt16((half >> 8 & 7) << 12 | register << 8 | half & 0xFF),
            ])
        }
    }

    private mutating func appendFaulting(_ code: [UInt16]) { append(code + [0xBF00, 0xBF00]) }

    /// Appends STR r0, [r1], after code that sets r0 to the value and r1 to the address.
    private mutating func store(_ value: UInt32, to address: UInt32) {
        load(0, value)
        load(1, address)
        appendFaulting([0x6008])
    }

    // MARK: Parts

    private mutating func appendMain() {
        store(24, to: ExceptionProgram.fuel)
        // CPACR turns the floating-point unit on.
        store(0xF << 20, to: 0xE000_ED88)
        // FPCCR: the core saves floating-point registers lazily, or at once.
        store(draw(of: [0xC000_0000, 0x8000_0000]), to: 0xE000_EF34)
        if hasProtection { appendProtection() }
        // SHCSR enables each of the configurable faults, or leaves it off.
        store(UInt32(draw(8)) << 16, to: 0xE000_ED24)
        // CCR: no trap, DIV_0_TRP, or also UNALIGN_TRP. STKALIGN is always set. Without it, the core still aligns
        // extended frames, but QEMU does not.
        store(draw(of: [0x200, 0x210, 0x218]), to: 0xE000_ED14)
        store(ExceptionProgram.interrupts.reduce(0) { $0 | 1 << $1 }, to: 0xE000_E100)
        for _ in 0..<8 { appendPriority() }
        if draw(2) == 0 {
            // MSR PSP, r0; MSR CONTROL, r1; ISB
            load(0, ExceptionProgram.processStack)
            load(1, 2)
            append([0xF380, 0x8809, 0xF381, 0x8814, 0xF3BF, 0x8F6F])
        }
        for _ in 0..<60 { appendAction() }
        end = nextAddress
        append([0xBE00, 0xE7FE])
    }

    private mutating func appendProtection() {
        let (code, ram, guarded) = (UInt32(0), MemoryMap.ramStart, ExceptionProgram.guarded)
        let regions: [(address: UInt32, attributes: UInt32)] = [
            // 512 MB that all programs may read. 64 KB that all may write and none may execute.
            (code, 6 << 24 | 28 << 1), (ram, 1 << 28 | 3 << 24 | 15 << 1),
            // 256 bytes each. Their access: none; privileged; privileged, and others may read; privileged may read.
            (guarded, 7 << 1), (guarded + 0x100, 1 << 24 | 7 << 1), (guarded + 0x200, 2 << 24 | 7 << 1),
            (guarded + 0x300, 5 << 24 | 7 << 1),
            // 32 bytes that all may read. 8 KB that all may read, except some of its eight subregions. They have 1 KB
            // each, because QEMU does not distinguish subregions that are smaller than its pages of 1 KB.
            (guarded + 0x400, 1 << 28 | 7 << 24 | 4 << 1),
            (guarded + 0x2000, 6 << 24 | UInt32(draw(256)) << 8 | 12 << 1),
        ]
        for (number, region) in regions.enumerated() {
            store(region.address | 0x10 | UInt32(number), to: 0xE000_ED9C)
            store(region.attributes | 1, to: 0xE000_EDA0)
        }
        // MPU_CTRL: privileged programs may use the default map. In a third of the cases, the unit also works in
        // HardFault and NMI handlers.
        store(draw(of: [5, 5, 7]), to: 0xE000_ED94)
        append([0xF3BF, 0x8F4F, 0xF3BF, 0x8F6F])
    }

    private mutating func appendHandler(_ exception: Int) {
        if 3...6 ~= exception { appendRepair() }
        if exception == 11 {
            // Makes thread mode privileged again. MRS r0, CONTROL; BIC r0, r0, #1; MSR CONTROL, r0
            append([0xF3EF, 0x8014, 0xF020, 0x0001, 0xF380, 0x8814])
        }
        load(0, ExceptionProgram.fuel)
        // LDR r1, [r0]; SUBS r1, #1; STR r1, [r0]; IT MI; BXMI lr
        append([0x6801, 0x3901, 0x6001, 0xBF48, 0x4770])
        // PUSH {r6, lr}
        append([0xB540])
        for _ in 0..<4 {
            if exception < 4 { appendQuestion() } else { appendAction() }
        }
        // POP {r6, pc}, or POP {r6, r7}; BX r7
        append(draw(2) == 0 ? [0xBD40] : [0xBCC0, 0x4738])
    }

    /// Appends code that makes the interrupted program continue after the instruction that has faulted.
    private mutating func appendRepair() {
        // TST lr, #4; ITE EQ; MRSEQ r0, MSP; MRSNE r0, PSP; LDR r1, [r0, #24]
        append([0xF01E, 0x0F04, 0xBF0C, 0xF3EF, 0x8008, 0xF3EF, 0x8009, 0x6981])
        // CMP r1, #0x20000000; BLO over the next two; LDR r1, [r0, #20]; SUBS r1, #1; ADDS r1, #4; STR r1, [r0, #24]
        append([0xF1B1, 0x5F00, 0xD301, 0x6941, 0x3901, 0x3104, 0x6181])
        // LDR r1, [r0, #28]; ORR r1, r1, #0x01000000; STR r1, [r0, #28]
        append([0x69C1, 0xF041, 0x7180, 0x61C1])
    }

    // MARK: Actions

    private mutating func appendAction() {
        switch draw(22) {
        case 0, 1:
            store(
                UInt32(1) << draw(of: ExceptionProgram.interrupts),
                to: draw(of: [0xE000_E200, 0xE000_E200, 0xE000_E280]))
        case 2: store(draw(of: ExceptionProgram.interrupts), to: 0xE000_EF00)
        case 3: store(UInt32(1) << draw(of: [28, 28, 27, 31]), to: 0xE000_ED04)
        case 4: appendFaulting([0xDF00 | UInt16(draw(256))])
        case 5: appendMask()
        case 6: appendFaultMask()
        case 7: appendPriority()
        case 8: store(0x05FA_0000 | UInt32(draw(8)) << 8, to: 0xE000_ED0C)
        case 9, 10: appendFloat()
        case 11, 12: appendFault()
        case 13: appendBlock()
        case 14: appendUnaligned()
        case 15: appendExclusive()
        case 16: appendUnprivileged()
        case 17 where hasProtection: appendGuardedAccess()
        case 18: store(UInt32(1) << draw(of: ExceptionProgram.interrupts), to: draw(of: [0xE000_E100, 0xE000_E180]))
        case _: appendQuestion()
        }
    }

    /// Appends CPS, or MSR to PRIMASK, BASEPRI or BASEPRI_MAX.
    private mutating func appendMask() {
        switch draw(4) {
        case 0: append([draw(of: [0xB662, 0xB672])])
        case 1:
            load(0, UInt32(draw(2)))
            append([0xF380, 0x8810])
        case _:
            load(0, UInt32(draw(8)) << 5)
            append([0xF380, draw(of: [0x8811, 0x8811, 0x8812])])
        }
    }

    /// Appends code that sets FAULTMASK, makes an interrupt pending, reads FAULTMASK and BASEPRI, and clears FAULTMASK.
    private mutating func appendFaultMask() {
        load(0, UInt32(1) << draw(of: ExceptionProgram.interrupts))
        load(1, 0xE000_E200)
        // MRS r2, CONTROL; LSLS r2, #31; BMI. The branch skips the rest if the program is unprivileged, because it may
        // not store there.
        append([0xF3EF, 0x8214, 0x07D2, 0xD408])
        append([0xB671, 0x6008, 0xBF00, 0xF3EF, 0x8413, 0xF3EF, 0x8511, 0xB661, 0xBF00])
    }

    private mutating func appendPriority() {
        load(0, UInt32(draw(8)) << 5)
        // STRB r0, [r1]. SHPR has the priorities of the faults, SVCall and PendSV. IPR has those of the interrupts.
        let system: [UInt32] = [0xE000_ED18, 0xE000_ED19, 0xE000_ED1A, 0xE000_ED1F, 0xE000_ED22]
        let interrupt = 0xE000_E400 + draw(of: ExceptionProgram.interrupts)
        load(1, draw(2) == 0 ? draw(of: system) : interrupt)
        appendFaulting([0x7008])
    }

    /// Appends floating-point code, or a store to FPDSCR. Floating-point code begins with VMSR FPSCR, r0, because FPSCR
    /// differs in a new context: QEMU copies all bits of FPDSCR, our processor only bits 22 to 26 (B1.5.7).
    private mutating func appendFloat() {
        load(0, draw(of: [0, 0x0040_0000, 0x0300_0000]))
        switch draw(4) {
        // VMOV s<n>, r0
        case 0:
            append([0xEEE1, 0x0A10])
            load(0, UInt32(truncatingIfNeeded: random.next()))
            append([0xEE00 | UInt16(draw(8)), 0x0A10])
        // VNEG.F32 s3, s1; VMRS r4, FPSCR. VNEG raises no floating-point flag. On our chip a flag causes interrupt 38,
        // which QEMU's chip lacks.
        case 1: append([0xEEE1, 0x0A10, 0xEEF1, 0x1A60, 0xEEF1, 0x4A10])
        case 2: append([0xEEE1, 0x0A10])
        // FPDSCR.
        case _: store(draw(of: [0, 0x00C0_0000, 0x0200_0000]), to: 0xE000_EF3C)
        }
    }

    private mutating func appendFault() {
        switch draw(6) {
        case 0: appendFaulting([0xDE00 | UInt16(draw(256))])
        case 1:
            // LDR r4, [r0], or STRB r4, [r0], at an address without memory.
            load(0, 0xA000_0000 + UInt32(draw(16)) * 4)
            appendFaulting([draw(of: [0x6804, 0x7004])])
        case 2:
            // UDIV r4, r5, r0
            load(0, 0)
            appendFaulting([0xFBB5, 0xF4F0])
        case 3:
            // LDR r4, [r0], or LDRH r4, [r0], at an address that may be unaligned.
            load(0, ExceptionProgram.scratch + UInt32(draw(4)))
            appendFaulting([draw(of: [0x6804, 0x8804])])
        case 4:
            // BX r0, to a multiple of 4 after the branch. Bit 0 is clear, so the core leaves Thumb state. That causes a
            // fault.
            load(0, (nextAddress + 13) & ~3)
            appendFaulting([0x4700, 0xBF00])
            appendFaulting([0xBF00])
        case _:
            // BLX r0, to peripherals, where no code may be executed.
            load(0, draw(of: [0x4000_0001, 0xE000_0001, 0xA000_0001]))
            appendFaulting([0x4780])
        }
    }

    /// Appends an IT block whose first instruction may store to ISPR, which makes an interrupt pending within the
    /// block.
    private mutating func appendBlock() {
        load(0, UInt32(1) << draw(of: ExceptionProgram.interrupts))
        load(1, 0xE000_E200)
        // CMP r0, r0; ITTE EQ, or ITET NE; STR r0, [r1]; NOP; NOP or ADD r6, r6, #1
        append([0x4280, draw(of: [0xBF06, 0xBF16]), 0x6008, 0xBF00, draw(of: [0xBF00, 0x3601])])
        appendFaulting([])
    }

    /// Appends exceptions while the stack pointer is not a multiple of 8. SUB sp, #4; ...; ADD sp, #4
    private mutating func appendUnaligned() {
        append([0xB081])
        appendFaulting([0xDF01])
        store(UInt32(1) << draw(of: ExceptionProgram.interrupts), to: 0xE000_E200)
        append([0xB001])
    }

    /// Appends LDREX r4, [r0] and STREX r5, r4, [r0], in half of the cases with a supervisor call between them.
    private mutating func appendExclusive() {
        load(0, ExceptionProgram.scratch)
        append([0xE850, 0x4F00])
        if draw(2) == 0 { appendFaulting([0xDF02]) }
        append([0xE840, 0x4500])
    }

    /// Appends code that makes the program unprivileged until its next supervisor call.
    /// MRS r0, CONTROL; ORR r0, r0, #1; MSR CONTROL, r0; ISB
    private mutating func appendUnprivileged() {
        append([0xF3EF, 0x8014, 0xF040, 0x0001, 0xF380, 0x8814, 0xF3BF, 0x8F6F])
        if draw(2) == 0 { appendFaulting([0xDF03]) }
    }

    /// Appends LDR, LDRB, STR or STRB of r4, [r0], in the areas that the memory protection unit restricts.
    private mutating func appendGuardedAccess() {
        let place = draw(2) == 0 ? UInt32(draw(0x440)) : 0x2000 + UInt32(draw(0x2000))
        load(0, ExceptionProgram.guarded + place & ~3)
        appendFaulting([draw(of: [0x6804, 0x7804, 0x6004, 0x7004])])
    }

    /// Appends an instruction that reads a random system register, or a store that clears CFSR or HFSR.
    private mutating func appendQuestion() {
        let registers: [UInt32] = [
            0xE000_ED04, 0xE000_ED24, 0xE000_ED28, 0xE000_ED2C, 0xE000_ED34, 0xE000_ED38, 0xE000_E200, 0xE000_E300,
            0xE000_E100, 0xE000_E400, 0xE000_ED0C, 0xE000_ED1C, 0xE000_EF38, 0xE000_EF3C, 0xE000_ED14,
        ]
        switch draw(3) {
        case 0:
            // MRS r5, from a special register.
            append([0xF3EF, 0x8500 | draw(of: [0, 3, 5, 8, 9, 16, 17, 18, 19, 20])])
        case 1 where draw(3) == 0:
            // Ones clear the bits of CFSR and HFSR.
            store(.max, to: draw(of: [0xE000_ED28, 0xE000_ED2C]))
        case _:
            load(0, draw(of: registers))
            appendFaulting([0x6805])
        }
    }
}

/// A random exception program, and its bytes in a file for QEMU. `deinit` deletes the file.
final class ExceptionRun {
    let program: LockstepProgram

    init(_ seed: UInt64) throws(LockstepError) {
        let random = ExceptionProgram(seed: seed)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        do {
            try Data(random.bytes).write(to: file)
        } catch {
            throw .unusable("\(file.path): \(error)")
        }
        let memory = MemoryMap(flash: random.bytes, ramSize: Comparison.ram.count)
        var processor = CortexM4(memory: memory, entry: random.entry, stack: 0x2000_4000)
        processor.part = NRF52832(board: BoardDevices())
        program = LockstepProgram(
            kind: .exceptions, name: "\(seed)", image: file.path, processor: processor, answers: [],
            ending: .call(random.end))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: program.image)
    }
}
