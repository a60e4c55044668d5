/// Whether interrupts are kept off.
enum Masking: UInt8, Sendable {
    case off, on
}

/// The registers that keep interrupts off (B1.4.3).
struct MaskRegisters: OptionSet, Sendable {
    let rawValue: UInt8

    static let faultmask = MaskRegisters(rawValue: 1)
    static let primask = MaskRegisters(rawValue: 2)
}

/// What changes the processor's own state, or waits.
enum SystemInstruction: Equatable, Sendable {
    /// NOP, YIELD, DBG and hints that this processor does not know.
    case none
    case waitForInterrupt, waitForEvent, sendEvent
    /// DMB, DSB and ISB.
    case barrier
    /// IT: the condition of the block, with its mask, as the IT state has them (A7.3.3).
    case ifThen(UInt8)
    case breakpoint(UInt8)
    case supervisorCall(UInt8)
    /// MRS: a special register, by its number (B5.1.1).
    case read(Register, special: UInt8)
    /// MSR: with the bits of the application's flags that are written.
    case write(Register, special: UInt8, mask: UInt8)
    /// CPSIE and CPSID, which change PRIMASK, FAULTMASK or both.
    case mask(Masking, MaskRegisters)
}
