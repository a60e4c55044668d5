import Testing

@testable import CortexM

/// Names of instructions. Those of the images are compared with a disassembler's by the lockstep.
struct MnemonicTests {
    @Test(
        arguments: [
            ([0x0000], "MOV"), ([0x0048], "LSL"), ([0x4408], "ADD"), ([0xBF00], "NOP"), ([0xB510], "PUSH"),
            ([0xBD10], "POP"), ([0xC803], "LDM"), ([0xDE00], "UDF"), ([0xBE54], "BKPT"), ([0xB672], "CPSID"),
            ([0xB662], "CPSIE"), ([0xBF30], "WFI"), ([0xBF18], "IT"), ([0xDF00], "SVC"), ([0xEA4F, 0x0030], "RRX"),
            ([0xF3BF, 0x8F4F], "DSB"), ([0xF3BF, 0x8F5F], "DMB"), ([0xF3BF, 0x8F6F], "ISB"),
            ([0xFA51, 0xF080], "UXTAB"), ([0xFA5F, 0xF080], "UXTB"), ([0xFB11, 0xF022], "SMULTB"),
            ([0xFB51, 0xF012], "SMMULR"), ([0xFA91, 0xF092], "REV16"), ([0xEE30, 0x0A81], "VADD"),
            ([0xED90, 0x0A00], "VLDR"), ([0xECB0, 0x0A04], "VLDM"), ([0xEEF1, 0xFA10], "VMRS"),
        ] as [([UInt16], String)])
    func `an instruction has the name of the manual`(code: [UInt16], name: String) {
        let flash = code.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let processor = CortexM4(memory: MemoryMap(flash: flash, ramSize: 64), entry: 1, stack: MemoryMap.ramStart)
        #expect(processor.mnemonic(at: 0) == name)
    }
}
