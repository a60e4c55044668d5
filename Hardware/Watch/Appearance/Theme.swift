/// The colours of a panel that has them. Clear pixels have the ground's colour. Set pixels have one colour in the title bar and
/// another elsewhere. A colour has 5 bits of red, 6 of green and 5 of blue.
public enum Theme: UInt8, Sendable, BitwiseCopyable {
    case dark = 0
    case light = 1
    case highContrast = 2

    /// The colour of clear pixels, and of the letters in a title bar.
    public var ground: UInt16 {
        switch self {
        case .dark: 0x0841
        case .light: 0xFFFF
        case .highContrast: 0x0000
        }
    }

    /// The colour of set pixels outside the title bar.
    public var ink: UInt16 {
        switch self {
        case .dark: 0xEF7D
        case .light: 0x1082
        case .highContrast: 0xFFFF
        }
    }

    /// The colour of set pixels in a title bar.
    public var accent: UInt16 {
        switch self {
        case .dark: 0xFDA0
        case .light: 0x0339
        case .highContrast: 0xFFE0
        }
    }

    func next(by step: Int) -> Theme {
        EachCase<Theme>.neighbour(of: rawValue, by: step) ?? .dark
    }
}
