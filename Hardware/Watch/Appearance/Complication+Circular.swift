import WatchLink

extension Complication {
    /// Draws a ring around a number, or a disc where there is no count.
    func drawCircular(at origin: Point, into framebuffer: inout Framebuffer) {
        let diameter = ComplicationFamily.circular.size.x
        let middle = Point(x: origin.x + diameter / 2, y: origin.y + diameter / 2)
        switch figureShape {
        case .ring(let sweep):
            // A thin full ring shows the part that is done.
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

    /// Draws a quarter of a disc around the panel's top right corner, with a number in it.
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
        /// A ring up to the end of the sweep.
        case ring(Sweep)
        /// A disc with a dark number.
        case disc
        /// A disc with a tick and no number.
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

    /// Draws the entry's number or abbreviation: in the bold font up to three characters, in the small one above.
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
}
