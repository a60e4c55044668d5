import CUnibilium

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
