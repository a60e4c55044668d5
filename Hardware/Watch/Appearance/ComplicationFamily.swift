/// The shapes in which a complication is drawn.
public enum ComplicationFamily: UInt8, Sendable, BitwiseCopyable {
    /// A ring with a number.
    case circular = 0
    /// A quarter disc in the panel's top right corner, with a number.
    case corner = 1
    /// A card with a heading and a line.
    case rectangular = 2
    /// One line of text.
    case inline = 3

    /// Width and height in pixels.
    public var size: Point {
        switch self {
        case .circular: Point(x: 44, y: 44)
        case .corner: Point(x: 44, y: 44)
        case .rectangular: Point(x: 132, y: 48)
        case .inline: Point(x: 132, y: 15)
        }
    }
}
