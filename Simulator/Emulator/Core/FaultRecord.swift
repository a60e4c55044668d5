/// The state of the core when an instruction faults, before the exception begins.
package struct FaultRecord: Equatable, Sendable {
    package let cycle: UInt64
    /// R0 to R12, the stack pointer, the link register, and the address of the instruction.
    package let registers: [UInt32]
    package let status: UInt32
    /// CFSR, which names the causes of the fault (Armv7-M Architecture Reference Manual, B3.2.15).
    package let configurable: UInt32
    /// HFSR, which names the causes of a HardFault (B3.2.16).
    package let hard: UInt32
    /// MMFAR: if bit 7 of CFSR is set, the address of the access that memory protection forbade.
    package let memoryAddress: UInt32
    /// BFAR: if bit 15 of CFSR is set, the address of the access that caused a bus fault.
    package let busAddress: UInt32

    init(of core: borrowing CortexM4) {
        cycle = core.cycles
        registers = (0..<15).map { core.register(UInt8($0)) } + [core.next]
        status = core.status
        (configurable, hard) = (core.faults.configurable, core.faults.hard)
        (memoryAddress, busAddress) = (core.faults.memoryAddress, core.faults.busAddress)
    }

    private static let causes: [(bit: UInt32, words: String)] = [
        (0, "a jump to memory that is never executed"), (1, "an access that the memory protection unit forbids"),
        (3, "a return whose stack the memory protection unit guards"),
        (4, "a full stack, which the memory protection unit guards"), (8, "a jump to where there is no memory"),
        (9, "an access of an address where there is nothing"), (11, "a return whose stack is not in memory"),
        (12, "a stack pointer outside of memory"), (16, "an instruction that a Cortex-M4 does not have"),
        (17, "a branch to an even address"), (18, "a wrong EXC_RETURN"),
        (19, "a floating-point instruction while the unit is off"), (24, "an unaligned access"),
        (25, "a division by zero"),
    ]

    package var cause: String {
        let found = FaultRecord.causes.filter { configurable &>> $0.bit & 1 != 0 }.map(\.words)
        if found.isEmpty {
            return hard &>> 31 & 1 != 0 ? "a breakpoint without a debugger" : "a missing exception handler"
        }
        return found.joined(separator: ", ")
    }

    package var address: UInt32? {
        if configurable &>> 7 & 1 != 0 { return memoryAddress }
        return configurable &>> 15 & 1 != 0 ? busAddress : nil
    }
}
