import Emulator

/// A program that both processors execute, with what its calls are answered.
struct LockstepProgram: Sendable {
    /// How it ends.
    enum Ending: Equatable, Sendable {
        /// At the breakpoint at this address, which nobody answers.
        case call(UInt32)
        /// With an instruction that is none: the part goes on at the address of its handler.
        case fault(handler: UInt32)
        /// With WFI, whose address this is, and no interrupt that ends it.
        case sleep(UInt32)
    }

    enum Kind: String, Sendable {
        case random
        /// A tap of a watch that has started and is connected, which itself is compared at the calls alone.
        case tap
        /// From the start of the watch over a tap on to some more, with turns of the crown and presses of the buttons between them.
        case taps
    }

    let kind: Kind
    /// What makes it again, as an argument of the command.
    let name: String
    /// The file that the emulator loads.
    let image: String
    /// Ours, before the first instruction.
    let processor: CortexM4
    /// In the order of the calls.
    let answers: [HostAnswer]
    /// The call from which on the registers are compared before each instruction: before it, they are at each call.
    var begin = 0
    let ending: Ending

    /// Where it stops.
    var stops: Set<UInt32> {
        let calls = Set(answers.map(\.call))
        return switch ending {
        case .call(let address): calls.union([address])
        case .fault, .sleep: calls
        }
    }
}

/// What the host answers to a call of a program: its breakpoint, what is in register 0 behind it, and what was written to memory.
struct HostAnswer: Equatable, Sendable {
    struct Write: Equatable, Sendable {
        var address: UInt32
        var bytes: [UInt8]
    }

    /// The address of the breakpoint.
    var call: UInt32
    var result: UInt32
    var writes: [Write]
}
