/// The sixteen colours that every colour terminal has, by their place in its palette. What they look like is the
/// terminal's own choice.
enum TerminalColour: UInt8 {
    case black, red, green, yellow, blue
    case cyan = 6
    /// Invisible on some themes: for decoration only.
    case brightBlack = 8
    case brightWhite = 15
}

enum TextWeight {
    case regular
    /// Bold, or bright where a terminal has no bold.
    case bold
}

/// How a cell is drawn. A colour that is nil is the terminal's own, which suits light and dark themes.
struct TextStyle: Equatable {
    var foreground: TerminalColour?
    var background: TerminalColour?
    var weight: TextWeight

    init(
        _ foreground: TerminalColour? = nil, on background: TerminalColour? = nil, weight: TextWeight = .regular
    ) {
        self.foreground = foreground
        self.background = background
        self.weight = weight
    }

    static let plain = TextStyle()
    static let bold = TextStyle(weight: .bold)
    /// Lines and rules that need not be readable.
    static let decoration = TextStyle(.brightBlack)
}
