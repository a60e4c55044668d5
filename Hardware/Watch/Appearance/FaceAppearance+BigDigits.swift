import WatchLink

extension FaceAppearance {
    static var besideDigits: Point { Point(x: 98, y: 8) }
    static var belowDigits: Point { Point(x: 6, y: 150) }

    /// Draws the hour above the minute, and the date to the right of the minute.
    func drawBigTime(into framebuffer: inout Framebuffer) {
        drawBigDigits(from: nil, into: &framebuffer)
        drawDateColumn(into: &framebuffer)
    }

    /// Draws the digits that differ from those before; for nil all.
    @inline(never)
    func drawBigDigits(from before: ShownDigits?, into framebuffer: inout Framebuffer) {
        let (hour, minute) = (digits?.hour, digits?.minute)
        if before == nil || hour != before?.hour { draw(hour, clock.lead, y: 6, into: &framebuffer) }
        if before == nil || minute != before?.minute { draw(minute, .zero, y: 78, into: &framebuffer) }
    }

    @inline(never)
    private func draw(_ number: Int?, _ lead: LeadingDigit, y: Int, into framebuffer: inout Framebuffer) {
        var (ink, paper) = (Ink.white, Ink.black)
        switch time {
        case .unset, .current: break
        case .travelled: swap(&ink, &paper)
        }
        framebuffer.fill(Rect(x: 0, y: y - 4, width: SegmentDigits.width + 6, height: 72), paper)
        SegmentDigits.draw(number, lead, at: Point(x: 3, y: y), ink, into: &framebuffer)
    }

    private func drawDateColumn(into framebuffer: inout Framebuffer) {
        let middle = FaceAppearance.besideDigits.x + ComplicationFamily.circular.size.x / 2
        var above = ShortText()
        switch time {
        case .unset:
            framebuffer.draw(("Not set" as StaticString).utf8, .small, centredAt: middle, baseline: 110)
            return
        case .current: break
        case .travelled(let minutes, _): above.append(travelled: minutes)
        }
        guard let shown = time.shown else { return }
        let fields = CalendarFields(shown)
        if let half = clock.half(hour: fields.hour) {
            framebuffer.draw(half.utf8, .small, centredAt: middle, baseline: 68)
        }
        framebuffer.draw(above.utf8, .small, centredAt: middle, baseline: 84)
        framebuffer.draw(fields.weekdayName.utf8.extracting(first: 3), .title, centredAt: middle, baseline: 102)
        var day = ShortText()
        day.append(UInt32(truncatingIfNeeded: fields.day))
        framebuffer.draw(day.utf8, .title, centredAt: middle, baseline: 121)
        framebuffer.draw(fields.monthName.utf8, .row, centredAt: middle, baseline: 139)
    }
}
