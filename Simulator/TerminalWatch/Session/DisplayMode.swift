import CUnibilium
import Glibc

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

/// Which view a terminal gets by itself, and why: for whoever asks before a watch is there.
package struct ViewForecast: Equatable {
    /// `plain`, or the name of a view.
    package let name: String
    /// Why, as the end of a line.
    package let why: String

    /// The forecast for a terminal of the type in `TERM`, of a size in cells, that draws such pictures.
    package init(type: String?, columns: Int, rows: Int, graphics: TerminalGraphics, because reason: String) {
        let environment = DisplayMode.Environment(
            streams: .terminal, terminalType: type, abilities: TerminalAbilities(type: type))
        let choice = DisplayMode.choice(.automatic, environment)
        guard case .drawn = choice.mode else {
            (name, why) = (DisplayMode.plainName, choice.why)
            return
        }
        let size = CellSize(columns: columns, rows: rows)
        let whole = DisplayLayout.smallest(for: .braille)
        switch WatchLayout(size: size, graphics: graphics) {
        case .text:
            let least = WatchLayout.smallestDisplay
            (name, why) = (ViewKind.text.rawValue, "rows alone: a case takes \(least.columns) x \(least.rows)")
        case .display(let layout):
            name = layout.picture.kind.rawValue
            switch layout.picture {
            case .pixels(_, let scale, _): why = "\(reason), so each pixel is \(scale) x \(scale)"
            case .braille: why = "\(reason), and all of the panel fits"
            case .text: why = "\(reason), and braille takes \(whole.columns) x \(whole.rows)"
            }
        }
    }
}

extension DisplayMode {
    /// What plain text is called where the views have names.
    package static let plainName = "plain"
}

/// What a terminal of a type can do, by its entry in the terminfo database.
package enum TerminalAbilities: Equatable {
    /// A picture can be drawn on it, and the screen before it comes back.
    case drawing
    /// So it can, but its font has few signs.
    case console
    /// Something is missing that drawing takes.
    case lacking(String)

    /// What drawing takes, and what that is called in an explanation.
    private static let needed: [(unibi_string, String)] = [
        (unibi_cursor_address, "way to put the cursor somewhere"),
        (unibi_clear_screen, "way to clear the screen"),
        (unibi_enter_ca_mode, "second screen to draw on"),
    ]

    /// The abilities of the type in `TERM`. One that the database does not have is taken for one like xterm.
    package init(type: String?) {
        switch type {
        case nil, "": self = .lacking("known abilities: TERM is not set")
        case "dumb", "unknown": self = .lacking(TerminalAbilities.needed[0].1)
        case "linux": self = .console
        case let type?:
            guard let entry = unibi_from_term(type) else {
                self = .drawing
                return
            }
            defer { unibi_destroy(entry) }
            let missing = TerminalAbilities.needed.first { unibi_get_str(entry, $0.0) == nil }
            self = missing.map { .lacking($0.1) } ?? .drawing
        }
    }
}

/// Whether the user wants colours.
enum ColourWish {
    case wanted
    case refused

    /// None where NO_COLOR is set and not empty (no-color.org).
    static var usual: ColourWish { getenv("NO_COLOR").map { $0.pointee != 0 } == true ? .refused : .wanted }
}
