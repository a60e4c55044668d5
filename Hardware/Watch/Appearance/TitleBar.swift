import WatchLink

/// The white bar at the top of the list: the list's name, how much is left, and the link.
public struct TitleBar: Sendable, BitwiseCopyable {
    /// The list's name.
    public var title: ItemTitle
    /// Items that are not checked off, those beyond the watch's own rows included. More than 99,999 show as "99999+".
    public var remaining: UInt32
    /// The link to the phone.
    public var link: LinkIndicator

    /// A bar that shows these.
    public init(title: ItemTitle, remaining: UInt32, link: LinkIndicator) {
        self.title = title
        self.remaining = remaining
        self.link = link
    }

    /// Draws the whole bar.
    public func draw(into framebuffer: inout Framebuffer) {
        let height = RowGeometry.titleBarHeight
        framebuffer.fill(Rect(x: 0, y: 0, width: PanelGeometry.width, height: height))
        let fitted = Font.title.fit(
            title.utf8, in: TitleBar.countLeft(remaining) - TitleBar.gap - TitleBar.left,
            completeness: title.completeness)
        framebuffer.draw(
            title.utf8.extracting(first: fitted.byteCount), .title,
            at: Point(x: TitleBar.left, y: TitleBar.baseline), ending: fitted.ending, ink: .black)
        drawCount(into: &framebuffer)
        drawLink(into: &framebuffer)
    }

    /// Draws what changes with the link alone.
    public func drawLink(into framebuffer: inout Framebuffer) {
        framebuffer.fill(Rect(x: TitleBar.linkLeft, y: 6, width: PhoneIcon.width, height: PhoneIcon.height))
        PhoneIcon(link: link).draw(at: Point(x: TitleBar.linkLeft, y: 6), ink: .black, into: &framebuffer)
    }

    private func drawCount(into framebuffer: inout Framebuffer) {
        var text = ShortText(min(remaining, TitleBar.largestCount))
        if remaining > TitleBar.largestCount { text.append("+") }
        framebuffer.draw(
            text.utf8, .title, endingAt: TitleBar.countRight, baseline: TitleBar.baseline, ink: .black)
    }

    private static var left: Int { RowGeometry.textLeft }
    private static var baseline: Int { 17 }
    private static var gap: Int { 6 }
    private static var linkLeft: Int { 131 }
    private static var countRight: Int { 126 }
    private static var largestCount: UInt32 { 99_999 }

    /// Where the room for the number begins. It holds two digits at least, so that the name keeps its room at the end of a
    /// list.
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
