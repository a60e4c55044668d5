import WatchLink

/// Draws the sheets for pairing, for the status and for a full title. Each covers the whole panel.
enum SheetAppearance {
    static func drawPairing(digits: UInt32, into framebuffer: inout Framebuffer) {
        let middle = PanelGeometry.width / 2
        framebuffer.clear()
        framebuffer.drawSheetTitle("Same digits?")
        TimeDigits.drawRow(
            digits / 1_000, centredAt: middle, y: (RowGeometry.titleBarHeight + 36) / 2, into: &framebuffer)
        TimeDigits.drawRow(digits % 1_000, centredAt: middle, y: 80, into: &framebuffer)
        framebuffer.draw(
            ("Hold crown: yes" as StaticString).utf8, .title, centredAt: middle, baseline: PanelGeometry.height - 24)
        framebuffer.draw(
            ("Side button: no" as StaticString).utf8, .row, centredAt: middle, baseline: PanelGeometry.height - 7)
    }

    static func drawStatus(
        link: LinkIndicator, waiting: UInt32, notice: StatusNotice, signs: ShownSigns,
        into framebuffer: inout Framebuffer
    ) {
        let middle = PanelGeometry.width / 2
        framebuffer.clear()
        framebuffer.drawSheetTitle("Phone")
        if signs.isBatteryLow { framebuffer.drawLowBattery(at: Point(x: 8, y: RowGeometry.titleBarHeight + 7)) }
        PhoneIcon(link: link).drawLarge(
            at: Point(x: middle - 18, y: (RowGeometry.titleBarHeight + 34) / 2), into: &framebuffer)
        let state: StaticString =
            switch link {
            case .reachable: "Connected"
            case .connecting: "Connecting"
            case .down: "No phone"
            }
        let baseline = 106
        let step = (PanelGeometry.height - baseline) / 3
        framebuffer.draw(state.utf8, .title, centredAt: middle, baseline: baseline)
        var text = ShortText()
        if waiting == 0 {
            text.append("All sent")
        } else {
            text.append(waiting)
            text.append(" to send")
        }
        framebuffer.draw(text.utf8, .row, centredAt: middle, baseline: baseline + step)
        let lines = notice.lines ?? signs.lines
        framebuffer.draw(lines.0.utf8, .row, centredAt: middle, baseline: baseline + 2 * step)
        framebuffer.draw(lines.1.utf8, .row, centredAt: middle, baseline: PanelGeometry.height - 4)
    }

    /// Draws a title on a card, in at most seven lines. A longer title ends in an ellipsis.
    static func drawFullTitle(_ title: ItemTitle, into framebuffer: inout Framebuffer) {
        framebuffer.clear()
        let margin = 12
        let width = PanelGeometry.width - 2 * margin
        var lines = 0
        var counter = LineBreaker(title.utf8, .row, width: width)
        while counter.next() != nil { lines += 1 }
        lines = min(max(lines, 1), mostLines)
        let height = lines * lineHeight + 16
        let top = (PanelGeometry.height - height) / 2
        framebuffer.fillRounded(Rect(x: 4, y: top, width: PanelGeometry.width - 8, height: height), radius: 9)
        var breaker = LineBreaker(title.utf8, .row, width: width)
        for line in 0..<lines {
            let baseline = top + 8 + line * lineHeight + 14
            let rest = title.utf8.extracting(breaker.rest)
            guard let range = breaker.next() else { return }
            let origin = Point(x: margin, y: baseline)
            if line == lines - 1 {
                // The last line takes the rest of the title. If that is too long, it ends in an ellipsis.
                let fitted = Font.row.fit(rest, in: width, completeness: title.completeness)
                framebuffer.draw(
                    rest.extracting(first: fitted.byteCount), .row, at: origin, ending: fitted.ending, ink: .black)
            } else {
                framebuffer.draw(title.utf8.extracting(range), .row, at: origin, ink: .black)
            }
        }
    }

    private static var lineHeight: Int { 20 }
    private static var mostLines: Int { 7 }
}

extension Framebuffer {
    @inline(never)
    mutating func drawSheetTitle(_ text: StaticString) {
        fill(Rect(x: 0, y: 0, width: PanelGeometry.width, height: RowGeometry.titleBarHeight))
        draw(text, .title, at: Point(x: RowGeometry.textLeft, y: RowGeometry.titleBaseline), ink: .black)
    }
}

extension Framebuffer {
    /// Draws an empty battery of 14 x 7 pixels.
    @inline(never)
    mutating func drawLowBattery(at origin: Point) {
        fill(Rect(x: origin.x, y: origin.y, width: 12, height: 7))
        fill(Rect(x: origin.x + 1, y: origin.y + 1, width: 10, height: 5), .black)
        fill(Rect(x: origin.x + 12, y: origin.y + 2, width: 2, height: 3))
    }
}

package struct ShownSigns: Equatable, Sendable, BitwiseCopyable {
    package let bits: UInt8

    package init(bits: UInt8) { self.bits = bits }

    package init(isBatteryLow: Bool = false, isPairable: Bool = false) {
        bits = (isBatteryLow ? 1 : 0) | (isPairable ? 2 : 0)
    }

    package var isBatteryLow: Bool { bits & 1 != 0 }
    package var isPairable: Bool { bits & 2 != 0 }

    /// The last two lines of the status sheet, if it shows no notice. They tell the wearer how a phone can pair.
    package var lines: (StaticString, StaticString) {
        (isPairable ? "Now" : "Hold side on face:", "phones may pair")
    }
}

/// A message to the wearer on the status sheet, below the state of the link.
public enum StatusNotice: UInt8, Sendable, BitwiseCopyable {
    case none
    /// The watch could not store the last change in flash, or could not read its journal.
    case notStored
    /// The journal writes to one half of its flash at a time, and can no longer switch halves. The watch stores changes only
    /// until the half in use is full.
    case flashFailing
    /// When the watch started, some records in flash were damaged or missing, or belonged to another handler. Messages to the phone
    /// may be lost.
    case recordsLost
    /// The watch has refused another phone, because it still has messages for its own phone.
    case otherPhone
    case replaced
    /// The phone was restored from an older copy. It has lost messages that it had received from this watch.
    case phoneRestored

    package var lines: (StaticString, StaticString)? {
        switch self {
        case .none: nil
        case .notStored: ("Not stored:", "flash failing")
        case .flashFailing: ("Flash failing:", "no room soon")
        case .recordsLost: ("Flash damaged:", "changes lost?")
        case .otherPhone: ("This watch has", "another phone")
        case .replaced: ("In use twice:", "another watch")
        case .phoneRestored: ("Phone restored:", "changes lost")
        }
    }
}
