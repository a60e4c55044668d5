import WatchLink

extension FaceAppearance {
    static var besideDigits: Point { Point(x: 98, y: 8) }
    static var belowDigits: Point { Point(x: 6, y: 150) }

    /// Draws the hour above the minute, and the date to the right of the minute.
    func drawBigTime(into framebuffer: inout Framebuffer) {
        let ink: Ink
        switch time {
        case .unset, .current: ink = .white
        case .travelled:
            framebuffer.fill(Rect(x: 0, y: 2, width: SegmentDigits.width + 6, height: 144), .white)
            ink = .black
        }
        SegmentDigits.draw(digits?.hour, clock.lead, at: FaceAppearance.bigHour, ink, into: &framebuffer)
        SegmentDigits.draw(digits?.minute, at: FaceAppearance.bigMinute, ink, into: &framebuffer)
        drawDateColumn(into: &framebuffer)
    }

    private static var bigHour: Point { Point(x: 3, y: 6) }
    private static var bigMinute: Point { Point(x: 3, y: 78) }

    /// Draws the digits of the present anew that differ from those before.
    func drawBigDigits(from before: ShownDigits, into framebuffer: inout Framebuffer) {
        guard let digits else { return }
        if digits.hour != before.hour {
            clear(FaceAppearance.bigHour, into: &framebuffer)
            SegmentDigits.draw(digits.hour, clock.lead, at: FaceAppearance.bigHour, .white, into: &framebuffer)
        }
        if digits.minute != before.minute {
            clear(FaceAppearance.bigMinute, into: &framebuffer)
            SegmentDigits.draw(digits.minute, at: FaceAppearance.bigMinute, .white, into: &framebuffer)
        }
    }

    private func clear(_ origin: Point, into framebuffer: inout Framebuffer) {
        framebuffer.fill(
            Rect(x: origin.x, y: origin.y, width: SegmentDigits.width, height: SegmentDigits.height), .black)
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
