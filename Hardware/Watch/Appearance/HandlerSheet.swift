import WatchLink

/// A sheet that a tap handler shows: a title, a text or picture in the middle, and up to three buttons at the bottom.
public struct HandlerSheet: Sendable, BitwiseCopyable {
    /// What a sheet shows between its title and its buttons.
    public enum Middle: Sendable, BitwiseCopyable {
        /// A text. A text of digits and colons, such as "12:34", is as large as the time on the face if it fits on the panel.
        /// Any other text takes up to three lines.
        case text(ShortText)
        /// A picture from the file that the phone has sent. If another file has since replaced this file, the sheet shows no
        /// picture.
        case picture(FilePicture)
    }

    /// The text in the title bar, at most 24 bytes. A sheet with an empty title does not open.
    public let title: StaticString
    /// The text or picture between the title and the buttons.
    public var middle: Middle
    /// The labels of the buttons from left to right. The first empty label ends the row of buttons.
    private var labels: (StaticString, StaticString, StaticString)

    /// Makes a sheet with a text. Traps if the title is longer than 24 bytes, or if a label is longer than 12.
    public init(
        title: StaticString, text: ShortText = ShortText(), buttons first: StaticString = "",
        _ second: StaticString = "", _ third: StaticString = ""
    ) {
        self.init(title: title, .text(text), (first, second, third))
    }

    /// Makes a sheet with a picture. If the picture is larger than the room for it, the sheet shows only the picture's middle.
    /// On the memory LCD, the room is 144 x 100 pixels with buttons, and 144 x 144 pixels without. Traps if the title is longer
    /// than 24 bytes, or if a label is longer than 12.
    public init(
        title: StaticString, picture: FilePicture, buttons first: StaticString = "", _ second: StaticString = "",
        _ third: StaticString = ""
    ) {
        self.init(title: title, .picture(picture), (first, second, third))
    }

    private init(title: StaticString, _ middle: Middle, _ labels: (StaticString, StaticString, StaticString)) {
        let (first, second, third) = labels
        precondition(title.utf8CodeUnitCount <= 24, "a sheet's title has at most 24 bytes")
        precondition(
            first.utf8CodeUnitCount <= 12 && second.utf8CodeUnitCount <= 12 && third.utf8CodeUnitCount <= 12,
            "the label of a button has at most 12 bytes")
        self.title = title
        self.middle = middle
        self.labels = labels
    }

    static var none: HandlerSheet { HandlerSheet(title: "") }

    var isNone: Bool { title.utf8CodeUnitCount == 0 }

    var buttonCount: Int {
        if labels.0.utf8CodeUnitCount == 0 { return 0 }
        if labels.1.utf8CodeUnitCount == 0 { return 1 }
        return labels.2.utf8CodeUnitCount == 0 ? 2 : 3
    }

    func label(_ button: Int) -> StaticString {
        switch button {
        case 0: labels.0
        case 1: labels.1
        default: labels.2
        }
    }

    private func frame(_ button: Int) -> Rect {
        let width = (PanelGeometry.width - HandlerSheet.margin) / buttonCount
        return Rect(
            x: HandlerSheet.margin + button * width, y: HandlerSheet.buttonTop, width: width - HandlerSheet.margin,
            height: HandlerSheet.buttonHeight)
    }

    /// Returns the index of the button at a pixel, counted from the left. Nil above the buttons, or if the sheet has none. The
    /// area from `buttonTop` down is divided evenly between the buttons, without gaps.
    func button(atX x: Int, y: Int) -> Int? {
        guard buttonCount > 0, y >= HandlerSheet.buttonTop, (0..<PanelGeometry.width).contains(x) else { return nil }
        return min(x * buttonCount / PanelGeometry.width, buttonCount - 1)
    }

    func draw(into framebuffer: inout Framebuffer) {
        framebuffer.clear()
        framebuffer.drawSheetTitle(title)
        switch middle {
        case .text(let text) where TimeDigits.canDraw(text.utf8):
            TimeDigits.draw(text.utf8, centredAt: PanelGeometry.width / 2, y: 54, into: &framebuffer)
        case .text(let text): HandlerSheet.draw(text, into: &framebuffer)
        // The lines of a picture are read from flash later.
        case .picture: break
        }
        var button = 0
        while button < buttonCount {
            let frame = frame(button)
            framebuffer.fillRounded(frame, radius: 7)
            framebuffer.draw(
                label(button).utf8, .row, centredAt: frame.left + frame.width / 2, baseline: frame.top + 23, ink: .black
            )
            button += 1
        }
    }

    private static func draw(_ text: ShortText, into framebuffer: inout Framebuffer) {
        var breaker = LineBreaker(text.utf8, .title, width: PanelGeometry.width - 12)
        var baseline = 60
        while baseline < buttonTop - 8, let range = breaker.next() {
            framebuffer.draw(
                text.utf8.extracting(range), .title, centredAt: PanelGeometry.width / 2, baseline: baseline)
            baseline += 22
        }
    }

    var words: ShortText {
        switch middle {
        case .text(let text): return text
        case .picture(let picture):
            var text = ShortText()
            text.append("picture ")
            text.append(UInt32(truncatingIfNeeded: picture.width))
            text.append(" x ")
            text.append(UInt32(truncatingIfNeeded: picture.height))
            return text
        }
    }

    static var margin: Int { 4 }
    static var buttonTop: Int { PanelGeometry.height - 40 }
    private static var buttonHeight: Int { 36 }
}
