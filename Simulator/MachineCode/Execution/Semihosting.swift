import CortexM

/// Calls of a program to the machine that it is debugged with (Arm, Semihosting for AArch32 and AArch64, release 2.0).
enum Semihosting {
    /// The breakpoint that is a call, on a Cortex-M.
    static let breakpoint: UInt8 = 0xAB

    enum Call: Equatable {
        /// The program ends, with this status.
        case exit(UInt32)
        /// It prints this.
        case write([UInt8])
        /// Anything else, which is answered with -1.
        case other
    }

    /// The call that the registers ask for.
    static func call(_ processor: borrowing CortexM4) -> Call {
        let argument = processor.register(1)
        switch processor.register(0) {
        case 0x03: return .write(processor.byte(at: argument).map { [$0] } ?? [])
        case 0x04: return .write(text(at: argument, processor))
        // ADP_Stopped_ApplicationExit is 0x20026: anything else is a failure.
        case 0x18: return .exit(argument == 0x20026 ? 0 : 1)
        case 0x20: return .exit(processor.word(at: argument &+ 4) ?? 1)
        case _: return .other
        }
    }

    /// A text up to its zero byte, at most 4,096 bytes of it.
    private static func text(at address: UInt32, _ processor: borrowing CortexM4) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < 4_096, let byte = processor.byte(at: address &+ UInt32(bytes.count)), byte != 0 {
            bytes.append(byte)
        }
        return bytes
    }
}
