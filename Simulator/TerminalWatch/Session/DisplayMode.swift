import CUnibilium
import Glibc

package enum DisplayMode: Equatable {
    case plain
    case drawn(ViewPreference)

    package enum Preference {
        case automatic
        /// This mode on every terminal that can draw, and plain text on every other terminal.
        case always(DisplayMode)
    }

    package struct Environment {
        var isTerminal: Bool
        package var terminalType: String?
        var abilities: TerminalAbilities
    }

    package static func choice(_ preference: Preference, _ environment: Environment) -> (mode: DisplayMode, why: String)
    {
        let wanted: ViewPreference
        switch preference {
        case .always(.plain): return (.plain, "it was asked for")
        case .always(.drawn(let view)): wanted = view
        case .automatic: wanted = .automatic
        }
        let type = environment.terminalType ?? ""
        guard environment.isTerminal else { return (.plain, "standard input and output are not both a terminal") }
        switch environment.abilities {
        case .drawing: return (.drawn(wanted), "a terminal")
        case .lacking(let what): return (.plain, "a terminal of the type '\(type)' has no \(what)")
        // The font of the Linux console has no braille characters and few other symbols.
        case .console:
            switch preference {
            case .always: return (.drawn(wanted), "it was asked for")
            case .automatic: return (.plain, "the font of the Linux console has no braille")
            }
        }
    }

    package init(preference: Preference, environment: Environment) {
        self = DisplayMode.choice(preference, environment).mode
    }
}

/// The view that a watch would choose by default in a terminal, and the reason.
package struct ViewForecast: Equatable {
    package let name: String
    package let why: String

    /// The parameter `type` is the environment variable `TERM`. The parameter `reason` is the probe's reason for `graphics`
    /// (`GraphicsProbe.why`).
    package init(type: String?, columns: Int, rows: Int, graphics: TerminalGraphics, because reason: String) {
        let environment = DisplayMode.Environment(
            isTerminal: true, terminalType: type, abilities: TerminalAbilities(type: type))
        let choice = DisplayMode.choice(.automatic, environment)
        guard case .drawn = choice.mode else {
            (name, why) = (DisplayMode.plainName, choice.why)
            return
        }
        let size = CellSize(columns: columns, rows: rows)
        let whole = WatchLayout.smallest(for: .braille)
        let picture = WatchLayout(size: size, graphics: graphics).picture
        name = picture.kind.rawValue
        switch picture {
        case .pixels(_, let scale, _): why = "\(reason), so each pixel is \(scale) x \(scale)"
        case .braille: why = "\(reason), and all of the panel fits"
        case .text: why = "\(reason), and braille takes \(whole.columns) x \(whole.rows)"
        }
    }
}

extension DisplayMode {
    package static let plainName = "plain"
}

package enum TerminalAbilities: Equatable {
    /// The terminal can draw, and can restore the previous screen.
    case drawing
    case console
    /// The terminal cannot draw. The text names what it lacks, such as `way to clear the screen`.
    case lacking(String)

    private static let needed: [(unibi_string, String)] = [
        (unibi_cursor_address, "way to put the cursor somewhere"),
        (unibi_clear_screen, "way to clear the screen"),
        (unibi_enter_ca_mode, "second screen to draw on"),
    ]

    /// The parameter `type` is the environment variable `TERM`. If the terminal database does not have this type, the terminal
    /// is assumed to draw.
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
