import WatchLink

extension Complication {
    /// Draws a white card with a heading and a line of text.
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

    /// Draws one line of text, cut to the family's width.
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

    /// Adds the entry as a line of text and returns whether the text is complete.
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
