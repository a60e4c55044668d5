import Emulator

/// A program that both QEMU and our processor execute, with the host's answers to the program's calls. A call is a
/// breakpoint.
struct LockstepProgram: Sendable {
    enum Ending: Equatable, Sendable {
        /// The program ends at the breakpoint at this address, which the host does not answer.
        case call(UInt32)
        /// The program ends at an undefined instruction. QEMU stops at the handler of that fault.
        case fault(handler: UInt32)
        /// The program ends at the WFI instruction at this address. No interrupt wakes the processor.
        case sleep(UInt32)
    }

    enum Kind: String, Sendable {
        case random
        /// Random exceptions, on a processor with the peripherals of a chip.
        case exceptions
    }

    let kind: Kind
    let name: String
    let image: String
    /// In its state before the first instruction.
    let processor: CortexM4
    /// In the order of the calls.
    let answers: [HostAnswer]
    let ending: Ending

    var stops: Set<UInt32> {
        let calls = Set(answers.map(\.call))
        return switch ending {
        case .call(let address): calls.union([address])
        case .fault, .sleep: calls
        }
    }
}

/// The host's answer to a call: a value for register 0, and bytes to write to memory. `call` is the address of the
/// breakpoint.
struct HostAnswer: Equatable, Sendable {
    struct Write: Equatable, Sendable {
        var address: UInt32
        var bytes: [UInt8]
    }

    var call: UInt32
    var result: UInt32
    var writes: [Write]
}
