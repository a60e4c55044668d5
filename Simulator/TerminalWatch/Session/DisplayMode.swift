/// How the watch is shown.
package enum DisplayMode {
    /// As lines of text, without an escape sequence: for pipes, dumb terminals and screen readers.
    case plain
    /// As pixels made of braille dots, with mouse and keys.
    case braille

    /// What the user asks for.
    package enum Preference {
        /// Whatever suits the terminal.
        case automatic
        /// This mode. Braille still needs a terminal.
        case always(DisplayMode)
    }

    /// What is known of the terminal.
    package struct Environment {
        /// What standard input and output are.
        enum Streams {
            /// Both are a terminal.
            case terminal
            /// At least one of them is a pipe or a file.
            case redirected
        }

        var streams: Streams
        /// The value of `TERM`, nil where it is not set.
        var terminalType: String?
    }

    /// The types of terminals that draw no braille: those that understand no escape sequence, and the Linux console,
    /// whose font has no such characters.
    private static let typesWithoutBraille = typesWithoutEscapes + ["linux"]
    private static let typesWithoutEscapes = [nil, "", "dumb", "unknown"]

    /// The mode for a preference at this terminal. The size does not matter: a terminal too small for pixels shows the
    /// rows of the list as text.
    package init(preference: Preference, environment: Environment) {
        let unusable: [String?]
        switch preference {
        case .always(.plain):
            self = .plain
            return
        // The library that draws cannot drive a type that understands nothing.
        case .always(.braille): unusable = DisplayMode.typesWithoutEscapes
        case .automatic: unusable = DisplayMode.typesWithoutBraille
        }
        switch environment.streams {
        case .redirected: self = .plain
        case .terminal: self = unusable.contains(environment.terminalType) ? .plain : .braille
        }
    }
}
