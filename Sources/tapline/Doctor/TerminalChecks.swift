/// Whether standard output is a terminal that can do more than print.
struct TerminalCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        guard machine.terminal != nil else {
            return .lacking(
                "terminal", for: .display, "standard output is not one: the watch prints plain text",
                remedy: "tapline watch  # in a terminal, without a pipe")
        }
        switch machine.variable("TERM") {
        case nil: return lacking("TERM is not set")
        case "dumb": return lacking("TERM is dumb")
        case let name?: return .present("terminal", for: .display, name)
        }
    }

    private func lacking(_ detail: String) -> Finding {
        .lacking(
            "terminal", for: .display, "\(detail): the watch prints plain text", remedy: "export TERM=xterm-256color")
    }
}

/// Whether the whole watch fits: 72 x 42 cells of braille for 144 x 168 pixels, and a line to spare.
struct SizeCheck: Check {
    static let needed = TerminalSize(columns: 72, rows: 43)

    func finding(on machine: some Machine) -> Finding {
        let needed = SizeCheck.needed
        // The sequence that asks a terminal for a size, rows first.
        let remedy = "printf '\\033[8;\(needed.rows);\(needed.columns + 38)t'"
        guard let size = machine.terminal else {
            return .lacking("terminal size", for: .display, "no terminal", remedy: remedy)
        }
        let detail = "\(size.columns) x \(size.rows)"
        if size.columns >= needed.columns && size.rows >= needed.rows {
            return .present("terminal size", for: .display, detail)
        }
        let shortfall = "\(detail), smaller than \(needed.columns) x \(needed.rows): only part of the watch fits"
        return .lacking("terminal size", for: .display, shortfall, remedy: remedy)
    }
}

/// Whether the locale has braille.
struct LocaleCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let name = machine.localeName
        if machine.hasUnicode { return .present("UTF-8 locale", for: .display, name) }
        return .lacking("UTF-8 locale", for: .display, "the locale is \(name)", remedy: "export LC_ALL=C.UTF-8")
    }
}

extension Machine {
    /// The locale of characters: the first of the three variables that is set, by the order of POSIX.
    var localeName: String { variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? "C" }

    /// Whether that locale is one of UTF-8.
    var hasUnicode: Bool {
        let name = localeName.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }
}

/// Whether a click can be a touch.
struct MouseCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let subject = "mouse"
        guard machine.terminal != nil else {
            return .lacking(subject, for: .display, "no terminal", remedy: "tapline watch  # in a terminal")
        }
        switch machine.variable("TERM") {
        case nil, "dumb", "linux", "vt100", "vt220":
            let name = machine.variable("TERM") ?? "no TERM"
            return .lacking(
                subject, for: .display, "\(name) reports no clicks: use the digit keys",
                remedy: "xterm -e tapline watch")
        case let name?:
            return .present(subject, for: .display, "\(name) reports clicks")
        }
    }
}
