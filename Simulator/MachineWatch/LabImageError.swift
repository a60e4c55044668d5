import CortexM
import MachineCode

/// Why an image for the lab is not executed, or not further.
package enum LabImageError: Error, Equatable, Sendable {
    /// It is no program for the processor.
    case notExecutable(MachineCodeError)
    /// An instruction was not executed.
    case trapped(Trap, at: UInt32, function: String)
    /// It was executing for this number of instructions without asking for anything.
    case endless(instructions: UInt64, function: String)
    /// The same while it was to name its handlers and their stages.
    case endlessNaming(instructions: UInt64, function: String)
    /// It asked for something that the lab does not have, or in a way that it does not understand: the call's number.
    case unknownCall(UInt32)
    /// It names no handlers.
    case noHandlers
    case noHandler(String, known: [String])
    /// Two handlers have this name.
    case severalHandlers(String)
    /// It has reported that a stage or a handler began or ended, or that a tap got on, when that cannot be.
    case unbalanced
    /// It is a program, and none for the lab's board.
    case strange
}

extension LabImageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notExecutable(let error): error.description
        case .trapped(.undefined, let address, let function):
            "it has trapped (a precondition, an index out of range, an overflow) at \(hexadecimal(address)) in \(function)"
        case .trapped(let trap, let address, let function): "\(trap.words) at \(hexadecimal(address)) in \(function)"
        case .endless(let instructions, let function):
            "it has executed \(instructions) instructions without a pause, and is in \(function)"
        case .endlessNaming(let instructions, let function):
            "a handler has not said which stages it has after \(instructions) instructions, and is in \(function)"
        case .unknownCall(let number): "it makes call \(number), which this version does not have: build the image anew"
        case .noHandlers: "it has no handler"
        case .noHandler(let name, let known): "it has no handler '\(name)'; it has \(known.joined(separator: ", "))"
        case .severalHandlers(let name): "it has two handlers called '\(name)': give one of them another name"
        case .unbalanced:
            "it reports stages or marks of taps by itself (board.trace), which is the runtime's: take that out"
        case .strange: "it is no image for the lab: Hardware/build --lab makes one"
        }
    }
}
