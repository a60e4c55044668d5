import TerminalWatch

/// Whether standard output is a terminal that can do more than print.
struct TerminalCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        guard machine.terminal != nil else {
            return .lacking(
                "terminal", for: .display, "standard output is not one: the watch prints plain text",
                remedy: "tapline watch  # in a terminal, without a pipe")
        }
        guard let name = machine.variable("TERM") else { return lacking("TERM is not set") }
        switch TerminalAbilities(type: name) {
        case .drawing, .console: return .present("terminal", for: .display, name)
        case .lacking(let what): return lacking("TERM is \(name), which has no \(what)")
        }
    }

    private func lacking(_ detail: String) -> Finding {
        .lacking(
            "terminal", for: .display, "\(detail): the watch prints plain text", remedy: "export TERM=xterm-256color")
    }
}

/// Which view of the panel is taken by itself, and why.
struct ViewCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let subject = "view"
        guard let size = machine.terminal else {
            return .lacking(subject, for: .display, "plain: no terminal", remedy: "tapline watch  # in a terminal")
        }
        let (graphics, reason) = machine.graphics
        let forecast = ViewForecast(
            type: machine.variable("TERM"), columns: size.columns, rows: size.rows, graphics: graphics, because: reason)
        let detail = "\(forecast.name) in \(size.columns) x \(size.rows): \(forecast.why)"
        if forecast.name == DisplayMode.plainName {
            return .lacking(subject, for: .display, detail, remedy: "export TERM=xterm-256color")
        }
        return .present(subject, for: .display, detail)
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
        let name = machine.variable("TERM")
        switch TerminalAbilities(type: name) {
        case .drawing: return .present(subject, for: .display, "\(name ?? "it") is asked to report clicks")
        case .console, .lacking:
            return .lacking(
                subject, for: .display, "\(name ?? "no TERM") reports no clicks: use the digit keys",
                remedy: "xterm -e tapline watch")
        }
    }
}
