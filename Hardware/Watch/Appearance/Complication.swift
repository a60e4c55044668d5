import WatchLink

/// A complication: an entry, drawn in the shape of a family.
struct Complication: Sendable, BitwiseCopyable {
    var content: ComplicationContent
    var privacy = ComplicationPrivacy.shown

    /// What it may show: redacted, a placeholder whatever it is, so that not even a list that becomes empty shows.
    var shown: ComplicationContent {
        switch privacy {
        case .shown: content
        case .redacted: .placeholder
        }
    }

    /// Draws it with its top left corner at `origin`, over another one of the family or on black.
    func draw(_ family: ComplicationFamily, at origin: Point, into framebuffer: inout Framebuffer) {
        // A card covers the one before it.
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

/// An entry of the time line, ready to be drawn in any family.
package enum ComplicationContent: Sendable, BitwiseCopyable {
    /// Nothing is known yet.
    case placeholder
    /// A list: the items that remain, the most there have been (a full ring; 0 draws a full ring too), and the next
    /// one.
    case items(remaining: UInt32, outOf: UInt32, next: ItemTitle)
    /// A text from the phone.
    case text(ItemTitle)
    /// No list: the time since the last trip.
    case lastTrip(secondsAgo: UInt32)
    /// No list and no trip: today's date.
    case date(LocalTime)

    /// A check of what is drawn: two contents that look different have different ones, but for one pair in four billion. The time
    /// since a trip is drawn in hours, a date in days.
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
    /// A ring with a number.
    case circular
    /// A quarter disc in the panel's top right corner, with a number.
    case corner
    /// A card with a heading and a line.
    case rectangular
    /// One line of text.
    case inline

    /// Width and height in pixels.
    var size: Point {
        switch self {
        case .circular: Point(x: 44, y: 44)
        case .corner: Point(x: 44, y: 44)
        case .rectangular: Point(x: 132, y: 48)
        case .inline: Point(x: 132, y: 15)
        }
    }
}

/// Whether a complication shows what it knows.
package enum ComplicationPrivacy: Sendable, BitwiseCopyable {
    case shown
    /// The wrist is down or the watch is locked: bars replace the text, and no number is shown.
    case redacted
}
