import Emulator

/// A program for both processors, with the answers to its calls.
struct LockstepProgram: Sendable {
    enum Ending: Equatable, Sendable {
        /// At a breakpoint that is not answered.
        case call(UInt32)
        /// At an undefined instruction; the part continues at its handler.
        case fault(handler: UInt32)
        /// At a WFI that no interrupt ends.
        case sleep(UInt32)
    }

    enum Kind: String, Sendable {
        case random
        /// Random exceptions, with a part.
        case exceptions
    }

    let kind: Kind
    let name: String
    let image: String
    /// Before the first instruction.
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

/// The answer to a call: a value in register 0, and bytes in memory.
struct HostAnswer: Equatable, Sendable {
    struct Write: Equatable, Sendable {
        var address: UInt32
        var bytes: [UInt8]
    }

    var call: UInt32
    var result: UInt32
    var writes: [Write]
}
