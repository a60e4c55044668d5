/// The two numbers of a time on the face.
struct ShownDigits: BitwiseCopyable {
    /// 0 to 23, or 1 to 12.
    var hour: Int
    /// What stands before an hour below ten.
    var lead = LeadingDigit.zero
    /// 0 to 59.
    var minute: Int
}

extension ClockForm {
    /// What stands before an hour below ten.
    var lead: LeadingDigit {
        switch self {
        case .twentyFourHours: .zero
        case .twelveHours: .blank
        }
    }
}

/// What stands in the place of the tens where there are none.
enum LeadingDigit: BitwiseCopyable {
    case zero
    case blank

    /// The tens of a number below 100, nil for a blank.
    func tens(of number: Int) -> Int? {
        switch self {
        case .zero: number / 10
        case .blank: number < 10 ? nil : number / 10
        }
    }
}

/// The big digits of the time: each 26 x 44 pixels.
enum TimeDigits {
    static var height: Int { 44 }
    static var width: Int { 4 * digitWidth + 4 * gap + colonWidth }

    private static var digitWidth: Int { 26 }
    private static var gap: Int { 4 }
    private static var colonWidth: Int { 6 }
    /// Strips of a digit, seven pixels wide each.
    private static var stripCount: Int { 4 }

    /// Draws hour and minute, "09:41"; for nil a dash in place of each digit.
    static func draw(
        _ time: ShownDigits?, at origin: Point, ink: Ink = .white, into framebuffer: inout Framebuffer
    ) {
        let x = origin.x
        let y = origin.y
        let minutes = x + 2 * (digitWidth + gap) + colonWidth + gap
        if let time {
            if let tens = time.lead.tens(of: time.hour) { drawDigit(tens, x: x, y: y, ink, into: &framebuffer) }
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

    /// Draws a number below 1,000 as three digits.
    static func drawRow(_ number: UInt32, centredAt middle: Int, y: Int, into framebuffer: inout Framebuffer) {
        var x = middle - (3 * digitWidth + 2 * gap) / 2
        var divisor = 100
        while divisor > 0 {
            drawDigit(Int(truncatingIfNeeded: number) / divisor % 10, x: x, y: y, .white, into: &framebuffer)
            x += digitWidth + gap
            divisor /= 10
        }
    }

    /// Whether these are digits and colons that have room on the panel, with at least one of them.
    static func canDraw(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where !(0x30...0x3A).contains(text[index]) { return false }
        return !text.isEmpty && width(of: text) <= PanelGeometry.width
    }

    private static func width(of text: Span<UInt8>) -> Int {
        var width = -gap
        for index in text.indices { width += (text[index] == 0x3A ? colonWidth : digitWidth) + gap }
        return width
    }

    /// Draws digits and colons.
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
