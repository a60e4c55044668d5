import WatchLink

/// Draws the face. During time travel, the time is black on white, and the face shows how far this time is from now. In the
/// styles `modular` and `simple`, that distance and an arrow replace the weekday.
struct FaceAppearance: Sendable, BitwiseCopyable {
    var time: FaceTime
    var complication: Complication
    var style = FaceStyle.modular
    var clock = ClockForm.twentyFourHours
    var signs = ShownSigns()

    func draw(into framebuffer: inout Framebuffer) {
        framebuffer.clear()
        switch style {
        case .modular, .simple: drawTime(into: &framebuffer)
        case .bigDigits: drawBigTime(into: &framebuffer)
        }
        drawComplications(into: &framebuffer)
        drawSigns(into: &framebuffer)
    }

    private func drawSigns(into framebuffer: inout Framebuffer) {
        let left: Int
        switch style {
        case .modular, .simple: left = 8
        case .bigDigits: left = FaceAppearance.besideDigits.x
        }
        if signs.isBatteryLow { framebuffer.drawLowBattery(at: Point(x: left, y: 0)) }
        if signs.isPairable { framebuffer.draw("Pair", .small, at: Point(x: left + 18, y: 7)) }
    }

    /// The digits of the time that the face shows; nil if the clock is not set.
    var digits: ShownDigits? {
        time.shown.map { CalendarFields($0) }.map {
            ShownDigits(hour: clock.shown(hour: $0.hour), hourDigits: clock.hourDigits, minute: $0.minute)
        }
    }

    private func drawTime(into framebuffer: inout Framebuffer) {
        drawDate(into: &framebuffer)
        drawDigits(into: &framebuffer)
    }

    @inline(never)
    func drawDigits(into framebuffer: inout Framebuffer) {
        let band = Rect(x: 0, y: PanelGeometry.height / 3, width: PanelGeometry.width, height: 52)
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

    private static var circularOrigin: Point { Point(x: PanelGeometry.width - 50, y: 6) }
    private static var rectangularOrigin: Point { Point(x: 6, y: PanelGeometry.height - 54) }
    private static var cornerOrigin: Point { Point(x: PanelGeometry.width - 44, y: 0) }
    private static var inlineOrigin: Point { Point(x: 6, y: PanelGeometry.height - 36) }

    private func drawDate(into framebuffer: inout Framebuffer) {
        framebuffer.fill(Rect(x: 0, y: 6, width: PanelGeometry.width - 52, height: 44), .black)
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

    private func drawArrow(ahead: Bool, into framebuffer: inout Framebuffer) {
        for column in 0..<12 {
            // Each triangle of the arrow is six columns wide, and eleven lines high at its base.
            let depth = ahead ? column % 6 : 5 - column % 6
            framebuffer.verticalLine(x: 8 + column, from: 15 + depth, to: 26 - depth)
        }
    }
}

enum FaceTime: Equatable, Sendable, BitwiseCopyable {
    case unset
    case current(LocalTime)
    /// Time travel to `time`, which is `minutes` from now; negative values are in the past.
    case travelled(minutes: Int32, time: LocalTime)

    var shown: LocalTime? {
        switch self {
        case .unset: nil
        case .current(let time), .travelled(_, let time): time
        }
    }
}

extension FaceAppearance {
    static var besideDigits: Point { Point(x: PanelGeometry.width - 46, y: 8) }
    static var belowDigits: Point { Point(x: 6, y: PanelGeometry.height - 18) }

    func drawBigTime(into framebuffer: inout Framebuffer) {
        drawBigDigits(from: nil, into: &framebuffer)
        drawDateColumn(into: &framebuffer)
    }

    /// Draws the hour unless `before` has the same hour, and the minute unless `before` has the same minute. Draws both if
    /// `before` is nil.
    @inline(never)
    func drawBigDigits(from before: ShownDigits?, into framebuffer: inout Framebuffer) {
        let (hour, minute) = (digits?.hour, digits?.minute)
        let top = (PanelGeometry.height - 156) / 2
        if before == nil || hour != before?.hour { draw(hour, digits: clock.hourDigits, y: top, into: &framebuffer) }
        if before == nil || minute != before?.minute { draw(minute, digits: 2, y: top + 72, into: &framebuffer) }
    }

    @inline(never)
    private func draw(_ number: Int?, digits: Int, y: Int, into framebuffer: inout Framebuffer) {
        var (ink, paper) = (Ink.white, Ink.black)
        switch time {
        case .unset, .current: break
        case .travelled: swap(&ink, &paper)
        }
        framebuffer.fill(Rect(x: 0, y: y - 4, width: SegmentDigits.width + 6, height: 72), paper)
        SegmentDigits.draw(number, digits: digits, at: Point(x: 3, y: y), ink, into: &framebuffer)
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

/// What the framebuffer shows of a face. `FaceAppearance.update` compares the next face with this, and draws the differences.
struct DrawnFace: BitwiseCopyable {
    fileprivate let style: FaceStyle
    fileprivate let clock: ClockForm
    /// Half days since 1970 in local time; nil during time travel, or if the clock is not set. Within a half day, the date and
    /// AM or PM stay the same.
    fileprivate let halfDay: UInt32?
    fileprivate let digits: ShownDigits?
    fileprivate let content: UInt32

    @inline(never)
    init(_ face: FaceAppearance) {
        style = face.style
        clock = face.clock
        switch face.time {
        case .unset, .travelled: halfDay = nil
        case .current(let time): halfDay = time.seconds / 43_200
        }
        digits = face.digits
        content = face.complication.shown.check
    }
}

extension FaceAppearance {
    /// Draws the face. If only digits or complications differ from `before`, draws only what differs, so that other lines are
    /// not sent to the panel. Always draws the whole face during time travel, and while the clock is not set. Returns the face
    /// that the framebuffer now shows.
    @inline(never)
    func update(from before: DrawnFace?, into framebuffer: inout Framebuffer) -> DrawnFace {
        let face = DrawnFace(self)
        guard let before, style == before.style, clock == before.clock, face.halfDay != nil,
            face.halfDay == before.halfDay,
            let then = before.digits
        else {
            draw(into: &framebuffer)
            return face
        }
        switch style {
        case .modular, .simple:
            if face.digits?.minute != then.minute || face.digits?.hour != then.hour { drawDigits(into: &framebuffer) }
        case .bigDigits: drawBigDigits(from: then, into: &framebuffer)
        }
        if face.content != before.content { drawComplications(into: &framebuffer) }
        return face
    }
}
