/// How the watch is shown.
public enum DisplayMode: Equatable, Sendable {
    /// As lines of text, without an escape sequence: for pipes, dumb terminals and screen readers.
    case plain
    /// As pixels made of braille dots, with mouse and keys.
    case braille

    /// What the user asks for.
    public enum Preference: Equatable, Sendable {
        /// Whatever suits the terminal.
        case automatic
        /// This mode. Braille needs a terminal all the same.
        case always(DisplayMode)
    }

    /// What is known of the terminal.
    public struct Surroundings: Equatable, Sendable {
        /// What standard input and output are.
        public enum Streams: Sendable {
            /// Both are a terminal.
            case terminal
            /// At least one of them is a pipe or a file.
            case redirected
        }

        /// What standard input and output are.
        public var streams: Streams
        /// The terminal's type, the value of `TERM`; empty where it is not set.
        public var terminalType: String

        /// Surroundings of these streams and this type.
        public init(streams: Streams, terminalType: String) {
            self.streams = streams
            self.terminalType = terminalType
        }
    }

    /// The types of terminals that draw no braille: those that understand no escape sequence, and the Linux console, whose
    /// font has no such characters.
    static let typesWithoutBraille = ["", "dumb", "unknown", "linux"]

    /// The mode for a preference in these surroundings. The size does not matter: in a terminal too small for pixels the
    /// rows of the list are written as text.
    public init(preference: Preference, surroundings: Surroundings) {
        switch preference {
        case .always(.plain): self = .plain
        case .always(.braille):
            // The library that draws cannot drive a type that understands nothing: there is no braille to be had.
            let drivable = !["", "dumb", "unknown"].contains(surroundings.terminalType)
            self = surroundings.streams == .terminal && drivable ? .braille : .plain
        case .automatic:
            let capable = !DisplayMode.typesWithoutBraille.contains(surroundings.terminalType)
            self = surroundings.streams == .terminal && capable ? .braille : .plain
        }
    }
}
