import WatchLink

/// The watch face: time, date and complication.
///
/// During time travel the time is dark on a white band, and an arrow with the distance replaces the weekday.
struct FaceAppearance: Sendable, BitwiseCopyable {
    var time: FaceTime
    /// The entry of the complication at that time.
    var complication: Complication
    var style = FaceStyle.modular
    var clock = ClockForm.twentyFourHours

    func draw(into framebuffer: inout Framebuffer) {
        framebuffer.clear()
        switch style {
        case .modular, .simple: drawTime(into: &framebuffer)
        case .bigDigits: drawBigTime(into: &framebuffer)
        }
        drawComplications(into: &framebuffer)
    }

    /// The hour and the minute on the face, nil while the clock is not set.
    var digits: ShownDigits? {
        time.shown.map { CalendarFields($0) }.map {
            ShownDigits(hour: clock.shown(hour: $0.hour), lead: clock.lead, minute: $0.minute)
        }
    }

    private func drawTime(into framebuffer: inout Framebuffer) {
        drawDate(into: &framebuffer)
        drawDigits(into: &framebuffer)
    }

    /// Draws hour and minute between the complications of `modular` and `simple`.
    @inline(never)
    func drawDigits(into framebuffer: inout Framebuffer) {
        let band = Rect(x: 0, y: 56, width: PanelGeometry.width, height: 52)
        let ink: Ink
        switch time {
        case .unset, .current:
            framebuffer.fill(band, .black)
            ink = .white
        case .travelled:
            framebuffer.fill(band, .white)
            ink = .black
        }
        let origin = Point(x: (PanelGeometry.width - TimeDigits.width) / 2, y: band.top + 4)
        TimeDigits.draw(digits, at: origin, ink: ink, into: &framebuffer)
    }

    @inline(never)
    func drawComplications(into framebuffer: inout Framebuffer) {
        switch style {
        case .modular:
            complication.draw(.circular, at: FaceAppearance.circularOrigin, into: &framebuffer)
            complication.draw(.rectangular, at: FaceAppearance.rectangularOrigin, into: &framebuffer)
        case .simple:
            complication.draw(.corner, at: FaceAppearance.cornerOrigin, into: &framebuffer)
            complication.draw(.inline, at: FaceAppearance.inlineOrigin, into: &framebuffer)
        case .bigDigits:
            complication.draw(.circular, at: FaceAppearance.besideDigits, into: &framebuffer)
            complication.draw(.inline, at: FaceAppearance.belowDigits, into: &framebuffer)
        }
    }

    private static var circularOrigin: Point { Point(x: 94, y: 6) }
    private static var rectangularOrigin: Point { Point(x: 6, y: 114) }
    private static var cornerOrigin: Point { Point(x: 100, y: 0) }
    private static var inlineOrigin: Point { Point(x: 6, y: 132) }

    /// Draws the two lines to the left of the ring or corner: the weekday or the travelled distance, and the day.
    private func drawDate(into framebuffer: inout Framebuffer) {
        framebuffer.fill(Rect(x: 0, y: 6, width: 92, height: 44), .black)
        var day = ShortText()
        switch time {
        case .unset:
            framebuffer.draw("Not set", .title, at: Point(x: 8, y: 25))
            framebuffer.draw("No phone", .row, at: Point(x: 8, y: 43))
            return
        case .current(let time):
            let fields = CalendarFields(time)
            framebuffer.draw(fields.weekdayName, .title, at: Point(x: 8, y: 25))
            day.appendDayAndMonth(fields)
            day.append(half: clock.half(hour: fields.hour))
        case .travelled(let minutes, let time):
            drawArrow(ahead: minutes >= 0, into: &framebuffer)
            var distance = ShortText()
            distance.append(travelled: minutes)
            framebuffer.draw(distance.utf8, .title, at: Point(x: 24, y: 25))
            let fields = CalendarFields(time)
            day.append(date: fields)
            day.append(half: clock.half(hour: fields.hour))
        }
        framebuffer.draw(day.utf8, .row, at: Point(x: 8, y: 43))
    }

    /// Draws two triangles that point right for ahead and left for back.
    private func drawArrow(ahead: Bool, into framebuffer: inout Framebuffer) {
        for column in 0..<12 {
            // Six columns a triangle, eleven lines at its base.
            let depth = ahead ? column % 6 : 5 - column % 6
            framebuffer.verticalLine(x: 8 + column, from: 15 + depth, to: 26 - depth)
        }
    }
}

enum FaceTime: Equatable, Sendable, BitwiseCopyable {
    /// Nobody has set the clock since it last lost power.
    case unset
    /// The present time.
    case current(LocalTime)
    /// Time travel: the face shows `time`, which is `minutes` ahead of now (back when negative).
    case travelled(minutes: Int32, time: LocalTime)

    var shown: LocalTime? {
        switch self {
        case .unset: nil
        case .current(let time), .travelled(_, let time): time
        }
    }
}
