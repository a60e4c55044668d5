import WatchLink

extension FaceAppearance {
    /// Draws what differs from `before`, which the framebuffer has: a minute leaves everything but the digits as it is, and an item that
    /// has arrived everything but the complications. A line that is not drawn does not go over the panel's bus.
    func update(from before: FaceAppearance, into framebuffer: inout Framebuffer) {
        guard style == before.style, clock == before.clock, let shown = time.halfDay, shown == before.time.halfDay
        else {
            return draw(into: &framebuffer)
        }
        if let now = digits, let then = before.digits, now.hour != then.hour || now.minute != then.minute {
            switch style {
            case .modular, .simple: drawDigits(into: &framebuffer)
            case .bigDigits: drawBigDigits(from: then, into: &framebuffer)
            }
        }
        if !complication.looksLike(before.complication) { drawComplications(into: &framebuffer) }
    }
}

extension FaceTime {
    /// The half of a day that the face shows, counted from 1970, within which its date and what is before and after noon stay the same;
    /// nil where it shows another time than the present.
    fileprivate var halfDay: UInt32? {
        switch self {
        case .unset, .travelled: nil
        case .current(let time): time.seconds / 43_200
        }
    }
}

extension Complication {
    /// Whether it is drawn like another.
    fileprivate func looksLike(_ other: Complication) -> Bool {
        privacy == other.privacy && content.saysSame(as: other.content)
    }
}
