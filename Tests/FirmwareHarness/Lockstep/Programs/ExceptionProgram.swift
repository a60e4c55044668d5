import Emulator
import Foundation
import WatchLink

/// A random program of exceptions, from address 0: it makes them pending, changes priorities and masks, and causes faults. Its
/// handlers do the same until the fuel in RAM is used up.
///
/// A handler of a fault skips four bytes and sets the Thumb bit, so two NOPs follow each instruction that may fault. An instruction
/// that reads a register of the system compares it, because registers are compared before each instruction.
struct ExceptionProgram {
    private static let fuel: UInt32 = 0x2000_0000
    private static let scratch: UInt32 = 0x2000_0100
    private static let stack: UInt32 = 0x2000_4000
    private static let processStack: UInt32 = 0x2000_6000
    /// Behind it are areas that the memory protection unit guards.
    private static let guarded: UInt32 = 0x2000_8000
    /// QEMU's part has 32 interrupts. These are used.
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

    /// MOVW and MOVT.
    private mutating func load(_ register: UInt32, _ value: UInt32) {
        for (half, opcode) in [(value & 0xFFFF, 0xF240 as UInt32), (value >> 16, 0xF2C0)] {
            append([
                UInt16(opcode | half >> 12 | (half >> 11 & 1) << 10),
                UInt16((half >> 8 & 7) << 12 | register << 8 | half & 0xFF),
            ])
        }
    }

    private mutating func appendFaulting(_ code: [UInt16]) { append(code + [0xBF00, 0xBF00]) }

    /// STR r0, [r1]
    private mutating func store(_ value: UInt32, to address: UInt32) {
        load(0, value)
        load(1, address)
        appendFaulting([0x6008])
    }

    // MARK: Parts

    private mutating func appendMain() {
        store(24, to: ExceptionProgram.fuel)
        // CPACR: the floating-point unit.
        store(0xF << 20, to: 0xE000_ED88)
        // FPCCR: with and without lazy stacking.
        store(draw(of: [0xC000_0000, 0x8000_0000]), to: 0xE000_EF34)
        if hasProtection { appendProtection() }
        // SHCSR: the configurable faults, or some.
        store(UInt32(draw(8)) << 16, to: 0xE000_ED24)
        // CCR: DIV_0_TRP, UNALIGN_TRP and STKALIGN, without which QEMU does not align extended frames either, as the core does.
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
            // 512 MB that all programs may read, 64 KB that all may write and none may execute.
            (code, 6 << 24 | 28 << 1), (ram, 1 << 28 | 3 << 24 | 15 << 1),
            // 256 bytes each: without access, for privileged programs, for others to read, for privileged programs to read.
            (guarded, 7 << 1), (guarded + 0x100, 1 << 24 | 7 << 1), (guarded + 0x200, 2 << 24 | 7 << 1),
            (guarded + 0x300, 5 << 24 | 7 << 1),
            // 32 bytes that all may read, 8 KB that all may read, without some of the eight subregions. QEMU does not tell subregions
            // apart that are smaller than its pages of 1 KB.
            (guarded + 0x400, 1 << 28 | 7 << 24 | 4 << 1),
            (guarded + 0x2000, 6 << 24 | UInt32(draw(256)) << 8 | 12 << 1),
        ]
        for (number, region) in regions.enumerated() {
            store(region.address | 0x10 | UInt32(number), to: 0xE000_ED9C)
            store(region.attributes | 1, to: 0xE000_EDA0)
        }
        // With or without the default map for privileged programs, and with or without the unit in faults.
        store(draw(of: [5, 5, 7]), to: 0xE000_ED94)
        append([0xF3BF, 0x8F4F, 0xF3BF, 0x8F6F])
    }

    private mutating func appendHandler(_ exception: Int) {
        if 3...6 ~= exception { appendRepair() }
        if exception == 11 {
            // Thread mode is privileged again. MRS r0, CONTROL; BIC r0, r0, #1; MSR CONTROL, r0
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

    /// Has the interrupted program go on behind the fault.
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

    /// MSR of PRIMASK, BASEPRI or BASEPRI_MAX, or CPS.
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

    /// CPSID f; an exception becomes pending; CPSIE f, or FAULTMASK stays up to the return.
    private mutating func appendFaultMask() {
        load(0, UInt32(1) << draw(of: ExceptionProgram.interrupts))
        load(1, 0xE000_E200)
        // MRS r2, CONTROL; LSLS r2, #31; BMI over the rest: an unprivileged program could not store.
        append([0xF3EF, 0x8214, 0x07D2, 0xD408])
        append([0xB671, 0x6008, 0xBF00, 0xF3EF, 0x8413, 0xF3EF, 0x8511, 0xB661, 0xBF00])
    }

    private mutating func appendPriority() {
        load(0, UInt32(draw(8)) << 5)
        // SHPR of the faults, SVCall and PendSV, and IPR. STRB r0, [r1]
        let system: [UInt32] = [0xE000_ED18, 0xE000_ED19, 0xE000_ED1A, 0xE000_ED1F, 0xE000_ED22]
        let interrupt = 0xE000_E400 + draw(of: ExceptionProgram.interrupts)
        load(1, draw(2) == 0 ? draw(of: system) : interrupt)
        appendFaulting([0x7008])
    }

    /// VMSR FPSCR, r0 comes first: QEMU begins a context with all of FPDSCR, the core with its bits 22 to 26 (B1.5.7).
    private mutating func appendFloat() {
        load(0, draw(of: [0, 0x0040_0000, 0x0300_0000]))
        switch draw(4) {
        // VMOV s<n>, r0
        case 0:
            append([0xEEE1, 0x0A10])
            load(0, UInt32(truncatingIfNeeded: random.next()))
            append([0xEE00 | UInt16(draw(8)), 0x0A10])
        // VNEG.F32 s3, s1; VMRS r4, FPSCR. It raises no flag: a flag is interrupt 38 of the part, which QEMU does not have.
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
            // LDR r4, [r0], or STRB r4, [r0], where nothing is.
            load(0, 0xA000_0000 + UInt32(draw(16)) * 4)
            appendFaulting([draw(of: [0x6804, 0x7004])])
        case 2:
            // UDIV r4, r5, r0
            load(0, 0)
            appendFaulting([0xFBB5, 0xF4F0])
        case 3:
            // LDR r4, [r0], unaligned.
            load(0, ExceptionProgram.scratch + UInt32(draw(4)))
            appendFaulting([draw(of: [0x6804, 0x8804])])
        case 4:
            // BX r0, to a multiple of 4 behind it.
            load(0, (nextAddress + 13) & ~3)
            appendFaulting([0x4700, 0xBF00])
            appendFaulting([0xBF00])
        case _:
            // BLX r0, to peripherals, which are never executed.
            load(0, draw(of: [0x4000_0001, 0xE000_0001, 0xA000_0001]))
            appendFaulting([0x4780])
        }
    }

    /// ITTE EQ, with a store that makes an exception pending.
    private mutating func appendBlock() {
        load(0, UInt32(1) << draw(of: ExceptionProgram.interrupts))
        load(1, 0xE000_E200)
        // CMP r0, r0; ITTE EQ, or NE; STR r0, [r1]; NOP; NOP or ADD r6, r6, #1
        append([0x4280, draw(of: [0xBF06, 0xBF16]), 0x6008, 0xBF00, draw(of: [0xBF00, 0x3601])])
        appendFaulting([])
    }

    /// A stack that is not a multiple of 8. SUB sp, #4; ...; ADD sp, #4
    private mutating func appendUnaligned() {
        append([0xB081])
        appendFaulting([0xDF01])
        store(UInt32(1) << draw(of: ExceptionProgram.interrupts), to: 0xE000_E200)
        append([0xB001])
    }

    /// LDREX r4, [r0]; perhaps an exception; STREX r5, r4, [r0]
    private mutating func appendExclusive() {
        load(0, ExceptionProgram.scratch)
        append([0xE850, 0x4F00])
        if draw(2) == 0 { appendFaulting([0xDF02]) }
        append([0xE840, 0x4500])
    }

    /// Goes on unprivileged up to the next supervisor call. MRS r0, CONTROL; ORR r0, r0, #1; MSR CONTROL, r0; ISB
    private mutating func appendUnprivileged() {
        append([0xF3EF, 0x8014, 0xF040, 0x0001, 0xF380, 0x8814, 0xF3BF, 0x8F6F])
        if draw(2) == 0 { appendFaulting([0xDF03]) }
    }

    /// LDR, LDRB, STR or STRB of r4, [r0]
    private mutating func appendGuardedAccess() {
        let place = draw(2) == 0 ? UInt32(draw(0x440)) : 0x2000 + UInt32(draw(0x2000))
        load(0, ExceptionProgram.guarded + place & ~3)
        appendFaulting([draw(of: [0x6804, 0x7804, 0x6004, 0x7004])])
    }

    /// Reads registers of the system.
    private mutating func appendQuestion() {
        let registers: [UInt32] = [
            0xE000_ED04, 0xE000_ED24, 0xE000_ED28, 0xE000_ED2C, 0xE000_ED34, 0xE000_ED38, 0xE000_E200, 0xE000_E300,
            0xE000_E100, 0xE000_E400, 0xE000_ED0C, 0xE000_ED1C, 0xE000_EF38, 0xE000_EF3C, 0xE000_ED14,
        ]
        switch draw(3) {
        case 0:
            // MRS r5, of a special register.
            append([0xF3EF, 0x8500 | draw(of: [0, 3, 5, 8, 9, 16, 17, 18, 19, 20])])
        case 1 where draw(3) == 0:
            // CFSR and HFSR are cleared.
            store(.max, to: draw(of: [0xE000_ED28, 0xE000_ED2C]))
        case _:
            load(0, draw(of: registers))
            appendFaulting([0x6805])
        }
    }
}

/// An exception program in a file for QEMU, which is deleted with this value.
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
