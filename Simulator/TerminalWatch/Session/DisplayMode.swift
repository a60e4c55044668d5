/// How the watch is shown.
package enum DisplayMode: Equatable {
    /// As lines of text, without an escape sequence: for pipes, dumb terminals and screen readers.
    case plain
    /// In its case, with mouse and keys.
    case drawn(ViewPreference)

    /// What the user asks for.
    package enum Preference {
        /// Whatever suits the terminal.
        case automatic
        /// This mode. Drawing still needs a terminal.
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
        /// What a terminal of this type can do.
        var abilities: TerminalAbilities
    }

    /// The mode for a preference at this terminal, and why. The size does not matter: there is a view for each.
    package static func choice(_ preference: Preference, _ environment: Environment) -> (mode: DisplayMode, why: String)
    {
        let wanted: ViewPreference
        switch preference {
        case .always(.plain): return (.plain, "it was asked for")
        case .always(.drawn(let view)): wanted = view
        case .automatic: wanted = .automatic
        }
        let type = environment.terminalType ?? ""
        switch environment.streams {
        case .redirected: return (.plain, "standard input and output are not both a terminal")
        case .terminal: break
        }
        switch environment.abilities {
        case .drawing: return (.drawn(wanted), "a terminal")
        case .lacking(let what): return (.plain, "a terminal of the type '\(type)' has no \(what)")
        // Its font has no braille and few other signs.
        case .console:
            switch preference {
            case .always: return (.drawn(wanted), "it was asked for")
            case .automatic: return (.plain, "the font of the Linux console has no braille")
            }
        }
    }

    /// The mode for a preference at this terminal.
    package init(preference: Preference, environment: Environment) {
        self = DisplayMode.choice(preference, environment).mode
    }
}
