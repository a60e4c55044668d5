import WatchLink

struct Complication: Sendable, BitwiseCopyable {
    var content: ComplicationContent
    /// Whether private content is hidden. If true, bars replace the text, and no number is shown, so that the face does not
    /// even tell whether the list is empty.
    var isRedacted = false

    var shown: ComplicationContent { isRedacted ? .placeholder : content }

    /// Draws the complication with its upper left corner at `origin`. Before the call, its area must be black or show a
    /// complication of the same family.
    func draw(_ family: ComplicationFamily, at origin: Point, into framebuffer: inout Framebuffer) {
        // A rectangular complication covers the whole area of the previous one.
        if family != .rectangular {
            framebuffer.fill(Rect(x: origin.x, y: origin.y, width: family.size.x, height: family.size.y), .black)
        }
        switch family {
        case .circular: drawCircular(at: origin, into: &framebuffer)
        case .corner: drawCorner(at: origin, into: &framebuffer)
        case .rectangular: drawRectangular(at: origin, into: &framebuffer)
        case .inline: drawInline(at: origin, into: &framebuffer)
        }
    }
}

enum ComplicationContent: Sendable, BitwiseCopyable {
    case placeholder
    /// `outOf` is the maximum number of open items since the list was last empty or the watch started. A ring shows
    /// `remaining` as a fraction of `outOf`. It is full if `remaining` is at least `outOf`.
    case items(remaining: UInt32, outOf: UInt32, next: ItemTitle)
    case text(ItemTitle)
    case lastTrip(secondsAgo: UInt32)
    case date(LocalTime)

    /// A checksum of what the complication shows. It covers a trip's age in whole hours, and a date without the time of day.
    /// Two contents that look different have the same checksum with a probability of one in four billion.
    @inline(never)
    var check: UInt32 {
        var check = CRC32()
        switch self {
        case .placeholder: break
        case .items(let remaining, let total, let next):
            check.update(word: remaining)
            check.update(word: total)
            check.update(next)
        case .text(let text):
            check.update(1)
            check.update(text)
        case .lastTrip(let seconds):
            check.update(2)
            check.update(word: seconds / 3_600)
        case .date(let time):
            check.update(3)
            check.update(word: time.seconds / 86_400)
        }
        return check.checksum
    }
}

extension CRC32 {
    fileprivate mutating func update(_ title: ItemTitle) {
        update(title.completeness.rawValue)
        update(title.utf8)
    }
}

enum ComplicationFamily: Sendable, BitwiseCopyable {
    case circular
    /// A number in a quarter of a disc, in the panel's top right corner.
    case corner
    case rectangular
    case inline

    var size: Point {
        switch self {
        case .circular: Point(x: 44, y: 44)
        case .corner: Point(x: 44, y: 44)
        case .rectangular: Point(x: PanelGeometry.width - 12, y: 48)
        case .inline: Point(x: PanelGeometry.width - 12, y: 15)
        }
    }
}

extension Complication {
    func drawCircular(at origin: Point, into framebuffer: inout Framebuffer) {
        let diameter = ComplicationFamily.circular.size.x
        let middle = Point(x: origin.x + diameter / 2, y: origin.y + diameter / 2)
        switch figureShape {
        case .ring(let sweep):
            // A thin full circle shows the done part of the ring too.
            if !sweep.isFull {
                framebuffer.drawRing(
                    at: Point(x: origin.x + 2, y: origin.y + 2), diameter: diameter - 4, thickness: 1, sweep: .full)
            }
            framebuffer.drawRing(at: origin, diameter: diameter, thickness: 5, sweep: sweep)
            drawFigure(at: middle, .white, into: &framebuffer)
        case .disc:
            framebuffer.fillDisc(at: origin, diameter: diameter)
            drawFigure(at: middle, .black, into: &framebuffer)
        case .tick:
            framebuffer.fillDisc(at: origin, diameter: diameter)
            framebuffer.drawTick(at: Point(x: origin.x + 10, y: origin.y + 7), size: 8, thickness: 7, .black)
        }
    }

    func drawCorner(at origin: Point, into framebuffer: inout Framebuffer) {
        let size = ComplicationFamily.corner.size.x
        framebuffer.fillDisc(
            at: Point(x: origin.x, y: origin.y - size), diameter: 2 * size,
            clip: Rect(x: origin.x, y: origin.y, width: size, height: size))
        switch figureShape {
        case .ring, .disc:
            drawFigure(at: Point(x: origin.x + 26, y: origin.y + 17), .black, into: &framebuffer)
        case .tick:
            framebuffer.drawTick(at: Point(x: origin.x + 16, y: origin.y + 4), size: 6, thickness: 6, .black)
        }
    }

    private enum FigureShape {
        case ring(Sweep)
        case disc
        case tick
    }

    private var figureShape: FigureShape {
        switch shown {
        case .placeholder: .ring(Sweep(0, of: 1))
        case .items(let remaining, let total, _): .ring(Sweep(remaining, of: total))
        case .text: .tick
        case .lastTrip, .date: .disc
        }
    }

    /// Draws a number or an age. A text of up to three characters is bold, and a longer text is in the small font.
    private func drawFigure(at middle: Point, _ ink: Ink, into framebuffer: inout Framebuffer) {
        var text = ShortText()
        switch shown {
        case .placeholder:
            text.append("--")
        case .items(let remaining, _, _):
            text.append(min(remaining, 9_999))
            if remaining > 9_999 { text.append("+") }
        case .text:
            break
        case .lastTrip(let seconds):
            text.append(brieflySecondsAgo: seconds)
        case .date(let time):
            text.append(UInt32(truncatingIfNeeded: CalendarFields(time).day))
        }
        let isShort = text.utf8.count <= 3
        framebuffer.draw(
            text.utf8, isShort ? .title : .small, centredAt: middle.x, baseline: middle.y + (isShort ? 5 : 4),
            ink: ink)
    }

    func drawRectangular(at origin: Point, into framebuffer: inout Framebuffer) {
        let size = ComplicationFamily.rectangular.size
        framebuffer.fillRounded(Rect(x: origin.x, y: origin.y, width: size.x, height: size.y), radius: 9)
        let left = origin.x + 10
        let right = origin.x + size.x - 10
        framebuffer.draw(heading, .small, at: Point(x: left, y: origin.y + 16), ink: .black)
        switch shown {
        case .placeholder:
            framebuffer.fillRounded(Rect(x: left, y: origin.y + 24, width: 72, height: 12), radius: 4, .black)
            framebuffer.fillRounded(Rect(x: left + 78, y: origin.y + 24, width: 26, height: 12), radius: 4, .black)
            return
        case .items(let remaining, _, _):
            var count = ShortText(remaining)
            count.append(" left")
            framebuffer.draw(count.utf8, .small, endingAt: right, baseline: origin.y + 16, ink: .black)
        case .text, .lastTrip, .date:
            break
        }
        var text = ShortText()
        let completeness = appendLine(to: &text)
        let fitted = Font.title.fit(text.utf8, in: right - left, completeness: completeness)
        framebuffer.draw(
            text.utf8.extracting(first: fitted.byteCount), .title, at: Point(x: left, y: origin.y + 36),
            ending: fitted.ending, ink: .black)
    }

    func drawInline(at origin: Point, into framebuffer: inout Framebuffer) {
        let width = ComplicationFamily.inline.size.x
        var text = ShortText()
        switch shown {
        case .placeholder:
            framebuffer.fillRounded(
                Rect(x: origin.x + 16, y: origin.y + 2, width: width - 32, height: 10), radius: 4)
            return
        case .items(let remaining, _, _):
            text.append(remaining)
            text.append(": ")
        case .text, .lastTrip, .date:
            break
        }
        let completeness = appendLine(to: &text)
        let fitted = Font.row.fit(text.utf8, in: width, completeness: completeness)
        framebuffer.draw(
            text.utf8.extracting(first: fitted.byteCount), .row,
            at: Point(x: origin.x + (width - fitted.width) / 2, y: origin.y + Font.row.ascent), ending: fitted.ending)
    }

    private var heading: StaticString {
        switch shown {
        case .placeholder, .text: "LIST"
        case .items: "NEXT"
        case .lastTrip: "LAST TRIP"
        case .date: "TODAY"
        }
    }

    /// Appends the complication's text. Returns whether the title in this text is complete or cut; `.whole` if the text has no
    /// title.
    @inline(never)
    private func appendLine(to text: inout ShortText) -> ItemTitle.Completeness {
        switch shown {
        case .placeholder:
            break
        case .items(_, _, let title):
            text.append(title.utf8)
            return title.completeness
        case .text(let title):
            text.append(title.utf8)
            return title.completeness
        case .lastTrip(let seconds):
            text.append(secondsAgo: seconds)
        case .date(let time):
            text.append(date: CalendarFields(time))
        }
        return .whole
    }
}
