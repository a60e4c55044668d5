/// A set of three colours for a colour panel. The picture has one bit for each pixel, and the panel's driver turns the bits
/// into these colours. A colour has, from the highest bit down, 5 bits of red, 6 of green and 5 of blue.
public enum Theme: UInt8, Sendable, BitwiseCopyable {
    case dark = 0
    case light = 1
    case highContrast = 2

    /// The colour of pixels whose bit is 0. The letters in a title bar are such pixels.
    public var ground: UInt16 {
        switch self {
        case .dark: 0x0841
        case .light: 0xFFFF
        case .highContrast: 0x0000
        }
    }

    /// The colour of pixels whose bit is 1, outside a title bar.
    public var ink: UInt16 {
        switch self {
        case .dark: 0xEF7D
        case .light: 0x1082
        case .highContrast: 0xFFFF
        }
    }

    /// The colour of pixels whose bit is 1 in a title bar: the bar's background.
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
