import CortexM
import Testing

@testable import Lockstep

struct LockstepReportTests {
    /// ADDS r0, #1; a call, which was executed; NOP, which was not.
    private func coverage() -> Coverage {
        let flash: [UInt8] = [0x01, 0x30, 0x54, 0xBE, 0x00, 0xBF]
        let processor = CortexM4(memory: MemoryMap(flash: flash, ramSize: 64), entry: 1, stack: MemoryMap.ramStart)
        let program = LockstepProgram(
            kind: .tap, name: "by hand", image: "", processor: processor, answers: [], ending: .call(2))
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
        #expect(rows == ["mnemonic random taps in one", "ADD 0 2 4", "BKPT 0 1 0", "NOP 0 0 1"])
    }
}
