/// Digits of seven segments, 42 x 64 pixels each, as on the first digital watches: two fill most of the panel's width.
///
/// They are drawn from lines, so that they take no table in flash.
enum SegmentDigits {
    static var height: Int { 64 }
    /// The width of two digits.
    static var width: Int { 2 * digitWidth + gap }

    private static var digitWidth: Int { 42 }
    private static var gap: Int { 6 }
    /// The thickness of a segment; odd, so that its ends are pointed.
    private static var thickness: Int { 9 }

    /// Draws a number below 100 as two digits, or for nil two dashes. `origin` is the top left corner.
    static func draw(
        _ number: Int?, _ lead: LeadingDigit = .zero, at origin: Point, _ ink: Ink, into framebuffer: inout Framebuffer
    ) {
        let right = Point(x: origin.x + digitWidth + gap, y: origin.y)
        let tens = number.map { lead.tens(of: $0).map { segments(of: $0) } ?? 0 } ?? middle
        draw(segments: tens, at: origin, ink, into: &framebuffer)
        draw(segments: number.map { segments(of: $0 % 10) } ?? middle, at: right, ink, into: &framebuffer)
    }

    // A bit each, clockwise from the top, then the one in the middle.
    private static var top: UInt8 { 1 }
    private static var topRight: UInt8 { 2 }
    private static var bottomRight: UInt8 { 4 }
    private static var bottom: UInt8 { 8 }
    private static var bottomLeft: UInt8 { 16 }
    private static var topLeft: UInt8 { 32 }
    private static var middle: UInt8 { 64 }

    private static func segments(of digit: Int) -> UInt8 {
        switch digit {
        case 0: 0x3F
        case 1: 0x06
        case 2: 0x5B
        case 3: 0x4F
        case 4: 0x66
        case 5: 0x6D
        case 6: 0x7D
        case 7: 0x07
        case 8: 0x7F
        case _: 0x6F
        }
    }

    @inline(never)
    private static func draw(segments: UInt8, at origin: Point, _ ink: Ink, into framebuffer: inout Framebuffer) {
        let (x, y) = (origin.x, origin.y)
        let half = (height - thickness) / 2
        let right = x + digitWidth - thickness
        if segments & top != 0 { drawAcross(x: x, y: y, ink, into: &framebuffer) }
        if segments & middle != 0 { drawAcross(x: x, y: y + half, ink, into: &framebuffer) }
        if segments & bottom != 0 { drawAcross(x: x, y: y + 2 * half, ink, into: &framebuffer) }
        if segments & topLeft != 0 { drawDown(x: x, y: y, half, ink, into: &framebuffer) }
        if segments & topRight != 0 { drawDown(x: right, y: y, half, ink, into: &framebuffer) }
        if segments & bottomLeft != 0 { drawDown(x: x, y: y + half, half, ink, into: &framebuffer) }
        if segments & bottomRight != 0 { drawDown(x: right, y: y + half, half, ink, into: &framebuffer) }
    }

    /// A segment across: each line ends where the slope of its neighbours begins, a pixel apart from them.
    private static func drawAcross(x: Int, y: Int, _ ink: Ink, into framebuffer: inout Framebuffer) {
        let middle = thickness / 2
        for line in 0..<thickness {
            let inset = 1 + middle + abs(line - middle)
            framebuffer.horizontalLine(y: y + line, from: x + inset, to: x + digitWidth - inset, ink)
        }
    }

    /// A segment down, from the middle of the segment above it to that of the one below.
    private static func drawDown(x: Int, y: Int, _ length: Int, _ ink: Ink, into framebuffer: inout Framebuffer) {
        let middle = thickness / 2
        for column in 0..<thickness {
            let inset = 1 + middle + abs(column - middle)
            framebuffer.verticalLine(
                x: x + column, from: y + inset, to: y + length + thickness - inset, ink)
        }
    }
}
