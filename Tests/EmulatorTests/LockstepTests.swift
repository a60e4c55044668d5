import Foundation
import Testing

@testable import Emulator
@testable import FirmwareHarness

/// The comparison with QEMU must find each difference. To cause a difference, a test gives different programs to the
/// emulator and to QEMU.
struct LockstepTests {
    /// The vector table, and MOV.W r1, #0x20000000, which sets r1 to the start of RAM.
    private static let start: [UInt16] = [0x4800, 0x2000, 17, 0, 0, 0, 0, 0, 0xF04F, 0x5100]

    /// Executes `ours` in the emulator and `theirs` in QEMU, each followed by a call (BKPT #0x54). Returns the first
    /// difference; nil if there is none.
    private func difference(ours: [UInt16], theirs: [UInt16]) throws -> String? {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let code = [ours, theirs].map { part in
            (Self.start + part + [0xBE54, 0xBF00]).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        }
        try Data(code[1]).write(to: file)
        let call = UInt32(2 * (Self.start.count + ours.count))
        let program = LockstepProgram(
            kind: .random, name: "by hand", image: file.path,
            processor: CortexM4(
                memory: MemoryMap(flash: code[0], ramSize: 1 << 16), entry: 17, stack: 0x2000_4800),
            answers: [], ending: .call(call))
        var comparison = try Comparison(program)
        do throws(LockstepError) {
            try comparison.run()
            return nil
        } catch {
            guard case .difference(_, _, let place, let what) = error else { throw error }
            return "\(place): \(what)"
        }
    }

    // MOVS r2, #5; STR r2, [r1, #4].
    private static let store: [UInt16] = [0x2205, 0x604A]

    @Test func `the same program makes no difference`() throws {
        #expect(try difference(ours: Self.store, theirs: Self.store) == nil)
    }

    @Test(
        arguments: [
            // MOVS r2, #6 and MOVS r2, #5, before a NOP and before the call.
            ([0x2206, 0xBF00], [0x2205, 0xBF00], "MOV at 0x14: r2 is 0x6, in QEMU 0x5"),
            ([0x2206], [0x2205], "MOV at 0x14: r2 is 0x6, in QEMU 0x5"),
            // Both set N and C. Then ours has MOVS r2, #0, and theirs MOV.W r2, #0, which changes no flags.
            (
                [0xF05F, 0x4200, 0xF05F, 0x0200], [0xF05F, 0x4200, 0xF04F, 0x0200],
                "xPSR is 0x61000000, in QEMU 0xa1000000"
            ),
            // Ours leaves out the store, or stores at another address.
            ([0x2205, 0xBF00], store, "1 bytes of RAM: at 0x20000004 is 0, in QEMU 5"),
            ([0x2205, 0x608A], store, "2 bytes of RAM: at 0x20000004 is 0, in QEMU 5"),
            // MOVW r2, #0x105; then STRB in ours, and STR in theirs.
            ([0xF240, 0x1205, 0x710A], [0xF240, 0x1205, 0x604A], "1 bytes of RAM: at 0x20000005 is 0, in QEMU 1"),
            // A NOP against B over the next instruction. In the last two cases, that instruction is the call.
            ([0xBF00, 0xBF00, 0xBF00], [0xE000, 0xBF00, 0xBF00], "NOP at 0x14: r15 is 0x16, in QEMU 0x18"),
            ([0xBF00], [0xE000], "NOP at 0x14: r15 is 0x16, in QEMU 0x18"),
            ([0xE000], [0xBF00], "B at 0x14: QEMU stops, we go on"),
        ] as [([UInt16], [UInt16], String)])
    func `a difference is found at the instruction or at the next call`(
        ours: [UInt16], theirs: [UInt16], words: String
    ) throws {
        #expect(try difference(ours: ours, theirs: theirs)?.hasSuffix(words) == true)
    }

    @Test(arguments: [2, 3]) func `random programs end in a fault and asleep`(seed: UInt64) throws {
        let run = try RandomRun(seed, length: 1_500)
        var comparison = try Comparison(run.program)
        try comparison.run()
        let counts = comparison.executed.byMnemonic(in: run.program.processor)
        #expect(counts[seed == 2 ? "UDF" : "WFI"] == 1)
        #expect(counts["BKPT"] == run.program.answers.count)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func `random exceptions make no difference`(seed: UInt64) throws {
        let run = try ExceptionRun(seed)
        var comparison = try Comparison(run.program)
        try comparison.run()
        #expect(comparison.executed.count > 500)
    }

    // MARK: The report

    /// Returns the coverage of a program: ADDS r0, #1, executed twice; a call, executed once; NOP, never executed.
    private func coverage() -> Coverage {
        let flash: [UInt8] = [0x01, 0x30, 0x54, 0xBE, 0x00, 0xBF]
        let processor = CortexM4(memory: MemoryMap(flash: flash, ramSize: 64), entry: 1, stack: MemoryMap.ramStart)
        let program = LockstepProgram(
            kind: .random, name: "by hand", image: "", processor: processor, answers: [], ending: .call(2))
        var executed = ExecutedAddresses()
        for address: UInt32 in [0, 0, 2] { executed.note(address) }
        var coverage = Coverage()
        coverage.add(executed, of: program)
        return coverage
    }

    @Test func `an instruction of an image that was never executed is named`() {
        let images = [
            ImageListing(name: "one", mnemonics: ["ADD": 4, "NOP": 1]),
            ImageListing(name: "two", mnemonics: ["BKPT": 1, "WFI": 2]),
        ]
        let report = LockstepReport(coverage: coverage(), images: images)
        #expect(report.missing == ["NOP", "WFI"])
        #expect(report.summary(seed: 5, seconds: 1).contains("2 mnemonics, 2 of the images' 4, in 1 s (seed 5)"))
    }

    @Test func `the table has each instruction with how often it was executed and is in each image`() {
        let report = LockstepReport(
            coverage: coverage(), images: [ImageListing(name: "one", mnemonics: ["ADD": 4, "NOP": 1])])
        let rows = report.table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows == ["mnemonic random in one", "ADD 2 4", "BKPT 1 0", "NOP 0 1"])
    }
}
