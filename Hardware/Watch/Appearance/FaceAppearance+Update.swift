import WatchLink

/// What the framebuffer has of the face: enough to tell what another one has to draw.
struct DrawnFace: BitwiseCopyable {
    fileprivate let style: FaceStyle
    fileprivate let clock: ClockForm
    /// The half of a day, counted from 1970, within which the date and what is before and after noon stay the same; nil where the face
    /// shows another time than the present.
    fileprivate let halfDay: UInt32?
    fileprivate let digits: ShownDigits?
    /// The check of the complication.
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
    /// Draws what differs from what was drawn `before`: a minute leaves everything but the digits as it is, and an item that has
    /// arrived everything but the complications. A line that is not drawn does not go over the panel's bus. Returns what is drawn now.
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
