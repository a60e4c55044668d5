/// How the emulator's process ended.
package enum MachineEnd: Equatable {
    /// By itself, with a status.
    case exited(status: CInt)
    /// A signal ended it.
    case killed(signal: CInt)
}

extension MachineEnd: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let status): "the firmware's machine ended with status \(status)"
        case .killed(let signal): "the firmware's machine was ended by signal \(signal)"
        }
    }
}
