/// Why a program cannot be executed, or was not executed to its end.
package enum MachineCodeError: Error, Equatable, Sendable {
    /// The file is none of the format ELF.
    case notELF
    /// It is a program for another processor: the number of its machine (`e_machine`), or one of 64 bits or of another byte
    /// order.
    case otherProcessor(UInt16)
    /// It is for Arm, of 64 bits or with the highest byte first.
    case otherForm
    /// What it says of itself is not all there.
    case truncated
    /// It is a part of a program: an object file or a library.
    case notLinked
    /// Nothing of it is loaded into memory.
    case empty
    /// It loads more than 32 MB.
    case tooLarge
    /// A segment lies outside flash and RAM: its address.
    case misplaced(UInt32)
    /// It has no function of this name.
    case noFunction(String)
    /// The processor does not execute an instruction.
    case trapped(Trap, at: UInt32, function: String)
    /// It was stopped after this number of instructions, in this function.
    case endless(instructions: UInt64, function: String)
    /// It has ended before it came to where the count begins.
    case notReached(String)
}

extension MachineCodeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notELF: "it is no ELF file"
        case .otherForm: "it is of 64 bits or has the highest byte first, which a Cortex-M4 cannot execute"
        case .otherProcessor(let machine): "it is for another processor (machine \(machine)), not for a Cortex-M4"
        case .truncated: "it is not whole: copy or build it again"
        case .notLinked: "it is not linked: only a whole program can be executed"
        case .empty: "it loads nothing into memory"
        case .tooLarge: "it loads more than 32 MB into memory"
        case .misplaced(let address):
            "it loads something at \(hexadecimal(address)), where there is neither flash nor RAM"
        case .noFunction(let name): "it has no function \(name)"
        case .trapped(let trap, let address, let function): "\(trap.words) at \(hexadecimal(address)) in \(function)"
        case .endless(let instructions, let function):
            "it has not ended after \(instructions) instructions, and is in \(function)"
        case .notReached(let name): "it has ended without coming to \(name)"
        }
    }
}

extension Trap {
    package var words: String {
        switch self {
        case .undefined: "an instruction that a Cortex-M4 does not have"
        case .unaligned(let address): "an unaligned access of \(hexadecimal(address))"
        case .forbidden(let address): "an access of \(hexadecimal(address)), which the memory protection unit guards"
        case .bus(let address): "an access of \(hexadecimal(address)), where there is nothing"
        case .invalidState: "a branch to an even address"
        case .noCoprocessor: "a floating-point instruction while the unit is off"
        case .breakpoint(let number): "breakpoint \(number)"
        case .supervisorCall(let number): "a supervisor call \(number)"
        case .waits(.interrupt): "a wait for an interrupt (WFI), whose length is not known,"
        case .waits(.event): "a wait for an event (WFE), whose length is not known,"
        }
    }
}

/// A number as an address is written: 0x and the digits.
package func hexadecimal(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }
