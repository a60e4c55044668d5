import TapLatency

/// Colours and weights of a text for people: those of the terminal, or none.
enum TerminalInk {
    /// The text goes to a file or a pipe, or its reader wants no colours.
    case plain
    /// Select graphic rendition, ECMA-48 section 8.3.117.
    case coloured

    /// A file or a terminal, by what the environment says of it (no-color.org).
    init(isTerminal: Bool, environment: [String: String]) {
        let isColoured = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        self = isColoured ? .coloured : .plain
    }

    /// Less important.
    func faint(_ text: String) -> String { render(text, "2") }

    /// What counts.
    func bold(_ text: String) -> String { render(text, "1") }

    /// A bar in the colour of its step's verdict.
    func bar(_ text: String, for verdict: Verdict) -> String { render(text, TerminalInk.colour(verdict)) }

    func verdict(_ verdict: Verdict) -> String { render(verdict.rawValue, TerminalInk.colour(verdict)) }

    func verdict(_ verdict: FigureVerdict) -> String {
        switch verdict {
        case .kept: verdict.rawValue
        case .faster: render(verdict.rawValue, "32")
        case .new: render(verdict.rawValue, "33")
        case .slower, .fewerTaps, .notKnown, .gone: render(verdict.rawValue, "31")
        }
    }

    private func render(_ text: String, _ parameters: String) -> String {
        switch self {
        case .plain: text
        case .coloured: "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
        }
    }

    /// Green for what is as it should be, red for what keeps the wearer waiting, yellow in between.
    private static func colour(_ verdict: Verdict) -> String {
        switch verdict {
        case .kept, .fixed, .madeAsynchronous, .proven, .confirmed, .removed: "32"
        case .slow, .attributed, .refuted: "31"
        case .improved, .predicted: "33"
        case .reference: "36"
        }
    }
}
