import Glibc

/// Why the watch cannot be shown in a terminal.
public enum TerminalError: Error, Equatable, Sendable {
    /// Neither the terminal's own type nor `xterm-256color` can be driven.
    case unusableTerminal(type: String)
    /// A call of the operating system failed: its name, and the errno it left.
    case systemCall(String, errno: CInt)
    /// A command on standard input failed; the text says which one and why.
    case commandFailed(String)
}

extension TerminalError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .unusableTerminal(let type):
            "a terminal of the type '\(type)' cannot be driven, nor as xterm-256color; try --plain"
        case .systemCall(let call, let number): "\(call): \(String(cString: strerror(number)))"
        case .commandFailed(let text): text
        }
    }
}
