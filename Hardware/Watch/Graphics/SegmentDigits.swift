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

    private static var middle: UInt8 { 0x40 }

    /// A bit for each segment: clockwise from the top, then the one in the middle.
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
        let half = (height - thickness) / 2
        for number in 0..<7 {
            let bit: UInt8 = 1 &<< UInt8(truncatingIfNeeded: number)
            guard segments & bit != 0 else { continue }
            let isRight = bit & 0b000_0110 != 0
            let isAcross = bit & 0b100_1001 != 0
            // Which of the three levels it begins at.
            let level = bit & 0b101_0100 != 0 ? 1 : bit == 0x08 ? 2 : 0
            drawSegment(
                x: origin.x + (isRight ? digitWidth - thickness : 0), y: origin.y + level * half, ink,
                isAcross ? .across : .down, into: &framebuffer)
        }
    }

    private enum Direction {
        case across
        case down
    }

    /// Draws a segment from lines whose ends make a point, a pixel away from those of its neighbours.
    private static func drawSegment(
        x: Int, y: Int, _ ink: Ink, _ direction: Direction, into framebuffer: inout Framebuffer
    ) {
        let middle = thickness / 2
        for line in 0..<thickness {
            let inset = 1 + middle + abs(line - middle)
            switch direction {
            case .across:
                framebuffer.horizontalLine(y: y + line, from: x + inset, to: x + digitWidth - inset, ink)
            case .down:
                framebuffer.verticalLine(x: x + line, from: y + inset, to: y + (height + thickness) / 2 - inset, ink)
            }
        }
    }
}
