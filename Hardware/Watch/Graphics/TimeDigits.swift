struct ShownDigits: BitwiseCopyable {
    /// From 0 to 23 on a 24-hour clock, from 1 to 12 on a 12-hour clock.
    var hour: Int
    /// 1 if an hour below ten has no zero before it; otherwise 2.
    var hourDigits = 2
    var minute: Int
}

/// The big digits of the time, 26 x 44 pixels each.
enum TimeDigits {
    static var height: Int { 44 }
    static var width: Int { 4 * digitWidth + 4 * gap + colonWidth }

    private static var digitWidth: Int { 26 }
    private static var gap: Int { 4 }
    private static var colonWidth: Int { 6 }
    /// The number of vertical strips, side by side, that make up a digit. Each is seven pixels wide.
    private static var stripCount: Int { 4 }

    /// Draws the time. For nil, draws a dash in place of each digit.
    static func draw(
        _ time: ShownDigits?, at origin: Point, ink: Ink = .white, into framebuffer: inout Framebuffer
    ) {
        let x = origin.x
        let y = origin.y
        let minutes = x + 2 * (digitWidth + gap) + colonWidth + gap
        if let time {
            if time.hour >= 10 || time.hourDigits == 2 {
                drawDigit(time.hour / 10, x: x, y: y, ink, into: &framebuffer)
            }
            drawDigit(time.hour % 10, x: x + digitWidth + gap, y: y, ink, into: &framebuffer)
            drawDigit(time.minute / 10, x: minutes, y: y, ink, into: &framebuffer)
            drawDigit(time.minute % 10, x: minutes + digitWidth + gap, y: y, ink, into: &framebuffer)
        } else {
            for left in 0..<2 {
                drawDash(x: x + left * (digitWidth + gap), y: y, ink, into: &framebuffer)
                drawDash(x: minutes + left * (digitWidth + gap), y: y, ink, into: &framebuffer)
            }
        }
        let colon = x + 2 * (digitWidth + gap)
        framebuffer.fillDisc(at: Point(x: colon, y: y + 11), diameter: colonWidth, ink)
        framebuffer.fillDisc(at: Point(x: colon, y: y + 28), diameter: colonWidth, ink)
    }

    static func drawRow(_ number: UInt32, centredAt middle: Int, y: Int, into framebuffer: inout Framebuffer) {
        var x = middle - (3 * digitWidth + 2 * gap) / 2
        var divisor = 100
        while divisor > 0 {
            drawDigit(Int(truncatingIfNeeded: number) / divisor % 10, x: x, y: y, .white, into: &framebuffer)
            x += digitWidth + gap
            divisor /= 10
        }
    }

    /// Whether the text consists only of digits and colons, and fits on the panel. False for an empty text.
    static func canDraw(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where !(0x30...0x3A).contains(text[index]) { return false }
        return !text.isEmpty && width(of: text) <= PanelGeometry.width
    }

    private static func width(of text: Span<UInt8>) -> Int {
        var width = -gap
        for index in text.indices { width += (text[index] == 0x3A ? colonWidth : digitWidth) + gap }
        return width
    }

    static func draw(_ text: Span<UInt8>, centredAt middle: Int, y: Int, into framebuffer: inout Framebuffer) {
        var x = middle - width(of: text) / 2
        for index in text.indices {
            if text[index] == 0x3A {
                framebuffer.fillDisc(at: Point(x: x, y: y + 11), diameter: colonWidth)
                framebuffer.fillDisc(at: Point(x: x, y: y + 28), diameter: colonWidth)
                x += colonWidth + gap
            } else {
                drawDigit(Int(text[index]) - 0x30, x: x, y: y, .white, into: &framebuffer)
                x += digitWidth + gap
            }
        }
    }

    @inline(never)
    private static func drawDigit(_ digit: Int, x: Int, y: Int, _ ink: Ink, into framebuffer: inout Framebuffer) {
        let tables = GlyphTables.timeDigits
        for strip in 0..<stripCount {
            let part = tables.record(of: digit * stripCount + strip)
            framebuffer.draw(part: part, tables, x: x + strip * 7, y: y, clip: .panel, ink: ink)
        }
        framebuffer.dirty.insert(max(0, y)..<min(max(0, y + height), PanelGeometry.height))
    }

    @inline(never)
    private static func drawDash(x: Int, y: Int, _ ink: Ink, into framebuffer: inout Framebuffer) {
        framebuffer.fillRounded(Rect(x: x + 4, y: y + 19, width: digitWidth - 8, height: 7), radius: 3, ink)
    }
}

/// The digits of the title font, decoded once, when the watch starts. Decoding a glyph takes longer than drawing it, and the
/// title bar shows a new count after every tap.
///
/// Every number is drawn as five glyphs, with blanks before its first digit. So the length of the list does not change the
/// time that a tap takes.
struct TitleDigits: BitwiseCopyable {
    /// For each digit, and then for the blank: a byte for each line, with the leftmost pixel in bit 6, and a byte with the
    /// advance in pixels.
    private let strips: FixedArray<UInt8>

    init(arena: inout MemoryArena) {
        strips = arena.take(TitleDigits.memorySize, of: 0)
        let tables = GlyphTables(.title)
        for digit in 0..<TitleDigits.blank { keep(digit, of: tables) }
    }

    static var memorySize: Int { (blank + 1) * stride }

    /// The number of lines of a digit. The last one is directly above the baseline.
    static var height: Int { 10 }

    private static var stride: Int { height + 1 }

    /// The index of the blank, after the last digit. The blank has no pixels and no width.
    private static var blank: Int { 10 }

    private static var cells: Int { 5 }

    private func keep(_ digit: Int, of tables: GlyphTables) {
        let parts = tables.parts(of: 0x30 - 0x20 + digit)
        var room = InlineArray<44, UInt8>(repeating: 0)
        withUnsafeMutableBytes(of: &room) { bytes in
            guard let lines = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            _ = tables.decode(parts.body, into: lines)
            for line in 0..<TitleDigits.height {
                strips[digit * TitleDigits.stride + line] = lines[Font.title.ascent - TitleDigits.height + line]
            }
        }
        strips[digit * TitleDigits.stride + TitleDigits.height] = UInt8(truncatingIfNeeded: tables.advance(of: parts))
    }

    /// Draws a number, which must be less than 100,000. The number ends in the column before `right`. All its pixels must
    /// be on the panel. Marks no line as dirty.
    @inline(never)
    func draw(_ number: UInt32, endingAt right: Int, baseline: Int, ink: Ink, into framebuffer: inout Framebuffer) {
        // The column after the gap that follows the last digit.
        var end = right &+ 1
        var rest = number
        for cell in 0..<TitleDigits.cells {
            let isBlank = rest == 0 && cell > 0
            let index = isBlank ? TitleDigits.blank : Int(truncatingIfNeeded: rest % 10)
            let strip = strips.address(of: index &* TitleDigits.stride)
            end &-= Int(strip[TitleDigits.height])
            framebuffer.bits.blit(
                strip, lines: TitleDigits.height, mask: 0x7F, x: end, y: baseline &- TitleDigits.height,
                negative: ink == .white ? 0 : ~0)
            rest /= 10
        }
    }
}

/// Seven-segment digits, 42 x 64 pixels for each digit. They are drawn as lines, so they need no table in flash.
enum SegmentDigits {
    static var height: Int { 64 }
    static var width: Int { 2 * digitWidth + gap }

    private static var digitWidth: Int { 42 }
    private static var gap: Int { 6 }
    /// The thickness of a segment in pixels. It is odd, so that each end of a segment tapers to one pixel.
    private static var thickness: Int { 9 }

    /// Draws a number below 100. A number below 10 gets a zero in front if `digits` is 2. For nil, draws two dashes.
    static func draw(
        _ number: Int?, digits: Int, at origin: Point, _ ink: Ink, into framebuffer: inout Framebuffer
    ) {
        let right = Point(x: origin.x + digitWidth + gap, y: origin.y)
        let tens = number.map { $0 >= 10 || digits == 2 ? segments(of: $0 / 10) : 0 } ?? middle
        draw(segments: tens, at: origin, ink, into: &framebuffer)
        draw(segments: number.map { segments(of: $0 % 10) } ?? middle, at: right, ink, into: &framebuffer)
    }

    private static var middle: UInt8 { 0x40 }

    /// Returns the segments of a digit, one bit for each. Bits 0 to 5 are the outer segments, clockwise from the top, and
    /// bit 6 is the middle segment.
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
            let level = bit & 0b101_0100 != 0 ? 1 : bit == 0x08 ? 2 : 0
            drawSegment(
                x: origin.x + (isRight ? digitWidth - thickness : 0), y: origin.y + level * half, ink,
                isAcross: isAcross, into: &framebuffer)
        }
    }

    /// Draws a segment. Its ends are pointed, and one pixel away from the neighbouring segments.
    private static func drawSegment(
        x: Int, y: Int, _ ink: Ink, isAcross: Bool, into framebuffer: inout Framebuffer
    ) {
        let middle = thickness / 2
        for line in 0..<thickness {
            let inset = 1 + middle + abs(line - middle)
            if isAcross {
                framebuffer.horizontalLine(y: y + line, from: x + inset, to: x + digitWidth - inset, ink)
            } else {
                framebuffer.verticalLine(x: x + line, from: y + inset, to: y + (height + thickness) / 2 - inset, ink)
            }
        }
    }
}
