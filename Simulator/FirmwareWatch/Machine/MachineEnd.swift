/// How the emulator's process ended.
package enum MachineEnd: Equatable {
    /// By itself, with a status.
    case exited(status: CInt)
    /// A signal ended it.
    case killed(signal: CInt)

    /// The end that waitpid(2) tells with `status`: the signal in the low seven bits, else the exit status in the next eight.
    init(waitStatus status: CInt) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
    }
}

extension MachineEnd: CustomStringConvertible {
    /// One line for a person.
    package var description: String {
        switch self {
        case .exited(let status): "the firmware's machine ended with status \(status)"
        case .killed(let signal): "the firmware's machine was ended by signal \(signal)"
        }
    }
}
