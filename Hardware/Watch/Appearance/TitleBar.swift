import WatchLink

struct TitleBar: Sendable, BitwiseCopyable {
    var title: ItemTitle
    /// The number of open items, including those that the watch does not store. The bar shows "99999+" for more than 99,999.
    var remaining: UInt32
    var link: LinkIndicator

    func draw(into framebuffer: inout Framebuffer) {
        let height = RowGeometry.titleBarHeight
        framebuffer.fill(Rect(x: 0, y: 0, width: PanelGeometry.width, height: height))
        let fitted = Font.title.fit(
            title.utf8, in: TitleBar.countLeft(remaining) - TitleBar.gap - TitleBar.left,
            completeness: title.completeness)
        framebuffer.draw(
            title.utf8.extracting(first: fitted.byteCount), .title,
            at: Point(x: TitleBar.left, y: TitleBar.baseline), ending: fitted.ending, ink: .black)
        drawCount(into: &framebuffer)
        PhoneIcon(link: link).draw(
            at: Point(x: TitleBar.linkLeft, y: (height - 12) / 2), ink: .black, into: &framebuffer)
    }

    private func drawCount(into framebuffer: inout Framebuffer) {
        var text = ShortText(min(remaining, TitleBar.largestCount))
        if remaining > TitleBar.largestCount { text.append("+") }
        framebuffer.draw(text.utf8, .title, endingAt: TitleBar.countRight, baseline: TitleBar.baseline, ink: .black)
    }

    /// Draws a new count over the old one, with the same result as `draw`. Call it only if `canReplaceCount` is true.
    static func replaceCount(
        _ before: UInt32, with remaining: UInt32, _ digits: TitleDigits, into framebuffer: inout Framebuffer
    ) {
        digits.draw(before, endingAt: countRight, baseline: baseline, ink: .white, into: &framebuffer)
        digits.draw(remaining, endingAt: countRight, baseline: baseline, ink: .black, into: &framebuffer)
        framebuffer.dirty.insert(baseline - TitleDigits.height..<baseline)
    }

    /// Whether both counts leave the same width for the title, so that only the digits change. False if a count exceeds 99,999.
    static func canReplaceCount(_ before: UInt32, with remaining: UInt32) -> Bool {
        max(before, remaining) <= largestCount && countLeft(before) == countLeft(remaining)
    }

    private static var left: Int { RowGeometry.textLeft }
    private static var baseline: Int { RowGeometry.titleBaseline }
    private static var gap: Int { 6 }
    private static var linkLeft: Int { PanelGeometry.width - 13 }
    private static var countRight: Int { PanelGeometry.width - 18 }
    private static var largestCount: UInt32 { 99_999 }

    /// The leftmost column of the count's space. A single digit gets the space of two, so that the title's width stays the same
    /// when the count falls below 10.
    private static func countLeft(_ remaining: UInt32) -> Int {
        let digits =
            switch remaining {
            case 0...99: 2
            case 100...999: 3
            case 1_000...9_999: 4
            case 10_000...largestCount: 5
            case _: 6
            }
        return countRight - digits * 8
    }
}

/// An icon of a phone, which shows the link's state. The icon's screen is filled if the phone is reachable, empty with dots
/// while the watch connects, and empty and struck out if there is no link.
struct PhoneIcon: BitwiseCopyable {
    var link: LinkIndicator

    /// Draws a phone of 7 x 12 pixels.
    func draw(at origin: Point, ink: Ink, into framebuffer: inout Framebuffer) {
        let x = origin.x
        let y = origin.y
        let ground: Ink = ink == .white ? .black : .white
        framebuffer.fillRounded(Rect(x: x, y: y, width: 7, height: 12), radius: 1, ink)
        switch link {
        case .reachable:
            framebuffer.fill(Rect(x: x + 2, y: y + 9, width: 3, height: 1), ground)
        case .connecting:
            framebuffer.fill(Rect(x: x + 1, y: y + 2, width: 5, height: 8), ground)
            for dot in 0..<3 {
                framebuffer.fill(Rect(x: x + 1 + dot * 2, y: y + 5, width: 1, height: 2), ink)
            }
        case .down:
            framebuffer.fill(Rect(x: x + 1, y: y + 2, width: 5, height: 8), ground)
            for step in 0..<5 {
                framebuffer.fill(Rect(x: x + 5 - step, y: y + 3 + step, width: 1, height: 2), ink)
            }
        }
    }

    /// Draws a phone of 36 x 60 pixels, white on black. If there is no link, the stroke extends 8 pixels beyond the phone's
    /// left and right edges.
    func drawLarge(at origin: Point, into framebuffer: inout Framebuffer) {
        let x = origin.x
        let y = origin.y
        framebuffer.fillRounded(Rect(x: x, y: y, width: 36, height: 60), radius: 7)
        switch link {
        case .reachable:
            framebuffer.drawTick(at: Point(x: x + 6, y: y + 16), size: 8, thickness: 7, .black)
        case .connecting:
            drawDarkScreen(x: x, y: y, into: &framebuffer)
            for dot in 0..<3 {
                framebuffer.fillDisc(at: Point(x: x + 7 + dot * 8, y: y + 25), diameter: 6)
            }
        case .down:
            drawDarkScreen(x: x, y: y, into: &framebuffer)
            // A white stroke from corner to corner, with dark edges that separate it from the phone.
            drawSlash(x: x - 8, y: y - 2, thickness: 15, .black, into: &framebuffer)
            drawSlash(x: x - 8, y: y + 2, thickness: 7, .white, into: &framebuffer)
        }
        framebuffer.fillRounded(Rect(x: x + 13, y: y + 52, width: 10, height: 3), radius: 1, .black)
    }

    private func drawDarkScreen(x: Int, y: Int, into framebuffer: inout Framebuffer) {
        framebuffer.fillRounded(Rect(x: x + 3, y: y + 5, width: 30, height: 43), radius: 3, .black)
    }

    private func drawSlash(x: Int, y: Int, thickness: Int, _ ink: Ink, into framebuffer: inout Framebuffer) {
        for column in 0..<52 {
            framebuffer.verticalLine(x: x + column, from: y + column, to: y + column + thickness, ink)
        }
    }
}

/// The link's state, as the screen shows it.
public enum LinkIndicator: UInt8, Sendable, BitwiseCopyable {
    /// There is no link. Messages to the phone wait on the watch.
    case down = 0
    case connecting = 1
    case reachable = 2
}
