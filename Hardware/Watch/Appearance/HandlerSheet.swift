import WatchLink

/// A sheet of a handler's own: a title, a text or a picture in the middle, and up to three buttons at the bottom. What the panel shows
/// is a function of it, and of the file that has the picture.
public struct HandlerSheet: Sendable, BitwiseCopyable {
    /// What is in the middle.
    public enum Middle: Sendable, BitwiseCopyable {
        /// Digits and colons of up to five characters in the digits of the face, anything else in up to three lines.
        case text(ShortText)
        /// A picture of a file. While the watch has another file it is not shown.
        case picture(FilePicture)
    }

    /// In the title bar. A sheet without a title is none, and nothing opens it.
    public let title: StaticString
    /// Between the title and the buttons.
    public var middle: Middle
    /// The labels of the buttons from the left; no button where a label is empty.
    private var labels: (StaticString, StaticString, StaticString)

    /// A sheet with a text and up to three buttons. Traps for a title of more than 24 bytes and a label of more than 12, which would have
    /// no room.
    public init(
        title: StaticString, text: ShortText = ShortText(), buttons first: StaticString = "",
        _ second: StaticString = "", _ third: StaticString = ""
    ) {
        self.init(title: title, .text(text), (first, second, third))
    }

    /// A sheet with a picture and up to three buttons. What has no room is cut off on both sides: with buttons, 144 x 100 pixels
    /// are shown, without, 144 x 144. Traps for a title of more than 24 bytes and a label of more than 12.
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

    /// No sheet.
    static var none: HandlerSheet { HandlerSheet(title: "") }

    var isNone: Bool { title.utf8CodeUnitCount == 0 }

    /// The number of buttons, 0 to 3.
    package var buttonCount: Int {
        if labels.0.utf8CodeUnitCount == 0 { return 0 }
        if labels.1.utf8CodeUnitCount == 0 { return 1 }
        return labels.2.utf8CodeUnitCount == 0 ? 2 : 3
    }

    /// The label of a button, 0 ..< `buttonCount`.
    package func label(_ button: Int) -> StaticString {
        switch button {
        case 0: labels.0
        case 1: labels.1
        default: labels.2
        }
    }

    /// Where a button is on the panel.
    private func frame(_ button: Int) -> Rect {
        let width = (PanelGeometry.width - HandlerSheet.margin) / buttonCount
        return Rect(
            x: HandlerSheet.margin + button * width, y: HandlerSheet.buttonTop, width: width - HandlerSheet.margin,
            height: HandlerSheet.buttonHeight)
    }

    /// The button under a touch, nil for none. The gaps between two belong to the one on their left, and everything below them
    /// to them.
    func button(atX x: Int, y: Int) -> Int? {
        guard buttonCount > 0, y >= HandlerSheet.buttonTop, (0..<PanelGeometry.width).contains(x) else { return nil }
        return min(x * buttonCount / PanelGeometry.width, buttonCount - 1)
    }

    func draw(into framebuffer: inout Framebuffer) {
        framebuffer.clear()
        SheetTitle(text: title).draw(into: &framebuffer)
        switch middle {
        case .text(let text) where TimeDigits.canDraw(text.utf8):
            TimeDigits.draw(text.utf8, centredAt: PanelGeometry.width / 2, y: 54, into: &framebuffer)
        case .text(let text): HandlerSheet.draw(text, into: &framebuffer)
        // Its lines come from flash.
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
        while baseline < 120, let range = breaker.next() {
            framebuffer.draw(
                text.utf8.extracting(range), .title, centredAt: PanelGeometry.width / 2, baseline: baseline)
            baseline += 22
        }
    }

    /// What is in the middle, in words.
    package var words: ShortText {
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
    static var buttonTop: Int { 128 }
    private static var buttonHeight: Int { 36 }
}
