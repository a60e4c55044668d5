/// The registers of a program, as a debugger shows them between two instructions.
package struct ProgramRegisters: Equatable, Sendable {
    /// Registers 0 to 12, the stack pointer, the link register, and the address of the next instruction.
    package var core: SIMD16<UInt32>
    /// xPSR outside of exception handlers: the flags, the IT state and the Thumb bit (B1.4.2).
    package var status: UInt32
    /// The single-precision registers.
    package var numbers: SIMD32<UInt32>
    /// FPSCR.
    package var floatStatus: UInt32

    package init(
        core: SIMD16<UInt32> = .zero, status: UInt32 = 0, numbers: SIMD32<UInt32> = .zero, floatStatus: UInt32 = 0
    ) {
        self.core = core
        self.status = status
        self.numbers = numbers
        self.floatStatus = floatStatus
    }
}

extension CortexM4 {
    /// What the program sees at present.
    package var programRegisters: ProgramRegisters {
        var shown = ProgramRegisters(
            status: flags.word | 1 << 24 | UInt32(ifThen & 3) << 25 | UInt32(ifThen >> 2) << 10,
            floatStatus: float.word)
        for number in 0..<15 { shown.core[number] = registers[number] }
        shown.core[15] = next
        for number in 0..<32 { shown.numbers[number] = numbers[number] }
        return shown
    }

    /// Begins with these flags instead of none: what they are after a reset is not defined (B1.4.2).
    ///
    /// - Parameter status: an xPSR, of which bits 31 to 27 and 19 to 16 count.
    package mutating func begin(withFlagsOf status: UInt32) {
        flags.word = status & 0xF80F_0000
    }
}
