/// The sixteen colours that every colour terminal has, by their place in its palette. What they look like is the
/// terminal's own choice.
public enum TerminalColour: UInt8, Sendable {
    /// Palette entry 0.
    case black = 0
    /// Palette entry 1.
    case red = 1
    /// Palette entry 2.
    case green = 2
    /// Palette entry 3.
    case yellow = 3
    /// Palette entry 4.
    case blue = 4
    /// Palette entry 5.
    case magenta = 5
    /// Palette entry 6.
    case cyan = 6
    /// Palette entry 7.
    case white = 7
    /// Palette entry 8: invisible on some themes, so it is for decoration alone.
    case brightBlack = 8
    /// Palette entry 15.
    case brightWhite = 15
}

/// The weight of a text.
public enum TextWeight: UInt8, Sendable {
    /// As the terminal draws text.
    case regular
    /// Bold, or bright where a terminal has no bold.
    case bold
}

/// How a cell is drawn. A colour that is nil is the terminal's own, which suits light and dark themes.
public struct TextStyle: Equatable, Sendable {
    /// The colour of the character.
    public var foreground: TerminalColour?
    /// The colour behind it.
    public var background: TerminalColour?
    /// Its weight.
    public var weight: TextWeight

    /// A style; without arguments, plain text.
    public init(
        _ foreground: TerminalColour? = nil, on background: TerminalColour? = nil, weight: TextWeight = .regular
    ) {
        self.foreground = foreground
        self.background = background
        self.weight = weight
    }

    /// Plain text in the terminal's own colours.
    public static let plain = TextStyle()
    /// Bold text in the terminal's own colours.
    public static let bold = TextStyle(weight: .bold)
    /// Lines and rules that nobody needs to read.
    public static let decoration = TextStyle(.brightBlack)
}
