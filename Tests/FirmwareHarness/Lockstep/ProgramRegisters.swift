import Emulator

struct ProgramRegisters: Equatable {
    /// R0 to R15. R15 holds the address of the next instruction.
    var core = SIMD16<UInt32>.zero
    /// xPSR: the flags, the IT state, the Thumb bit and the exception.
    var status: UInt32 = 0
    /// The single-precision registers S0 to S31, as raw bits.
    var numbers = SIMD32<UInt32>.zero
    /// FPSCR, the status register of the floating-point unit.
    var floatStatus: UInt32 = 0
}

extension CortexM4 {
    var programRegisters: ProgramRegisters {
        var shown = ProgramRegisters(status: status, floatStatus: floatStatus)
        for number in 0..<15 { shown.core[number] = register(UInt8(number)) }
        shown.core[15] = next
        for number in 0..<32 { shown.numbers[number] = numbers[number] }
        return shown
    }
}
