import WatchLink

/// The white bar at the top of the list: the list's name, the remaining count and the link.
struct TitleBar: Sendable, BitwiseCopyable {
    var title: ItemTitle
    /// Items not checked off, including those beyond the watch's rows. More than 99,999 show as "99999+".
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
        PhoneIcon(link: link).draw(at: Point(x: TitleBar.linkLeft, y: 6), ink: .black, into: &framebuffer)
    }

    private func drawCount(into framebuffer: inout Framebuffer) {
        var text = ShortText(min(remaining, TitleBar.largestCount))
        if remaining > TitleBar.largestCount { text.append("+") }
        framebuffer.draw(text.utf8, .title, endingAt: TitleBar.countRight, baseline: TitleBar.baseline, ink: .black)
    }

    /// Draws a count in place of the one before, which the picture shows and `canReplaceCount` allows: it is then as `draw`
    /// would leave it.
    static func replaceCount(
        _ before: UInt32, with remaining: UInt32, _ digits: TitleDigits, into framebuffer: inout Framebuffer
    ) {
        digits.draw(before, endingAt: countRight, baseline: baseline, ink: .white, into: &framebuffer)
        digits.draw(remaining, endingAt: countRight, baseline: baseline, ink: .black, into: &framebuffer)
        framebuffer.dirty.insert(baseline - TitleDigits.height..<baseline)
    }

    /// Whether nothing but digits differs between title bars with these counts: the name has the same room.
    static func canReplaceCount(_ before: UInt32, with remaining: UInt32) -> Bool {
        max(before, remaining) <= largestCount && countLeft(before) == countLeft(remaining)
    }

    private static var left: Int { RowGeometry.textLeft }
    private static var baseline: Int { 17 }
    private static var gap: Int { 6 }
    private static var linkLeft: Int { 131 }
    private static var countRight: Int { 126 }
    private static var largestCount: UInt32 { 99_999 }

    /// The first column of the number's area. It has at least two digits, so that the name keeps its width at the end
    /// of a list.
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
