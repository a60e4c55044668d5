extension Framebuffer {
    /// Fills a disc; `origin` is the top left corner of its bounding box. No pixel outside `clip` changes.
    @inline(never)
    mutating func fillDisc(at origin: Point, diameter: Int, clip: Rect = .panel, _ ink: Ink = .white) {
        var outline = DiscOutline(diameter: diameter)
        for line in 0..<diameter {
            let inset = outline.inset(at: line)
            let span = Rect(x: origin.x + inset, y: origin.y + line, width: diameter - 2 * inset, height: 1)
            fill(span.intersection(clip), ink)
        }
    }

    /// Fills `rect` with corners rounded to `radius` pixels.
    @inline(never)
    mutating func fillRounded(_ rect: Rect, radius: Int, _ ink: Ink = .white) {
        var outline = DiscOutline(diameter: 2 * radius)
        for line in 0..<rect.height {
            let fromEdge = min(line, rect.height - 1 - line)
            let inset = fromEdge < radius ? outline.inset(at: fromEdge) : 0
            horizontalLine(y: rect.top + line, from: rect.left + inset, to: rect.right - inset, ink)
        }
    }

    /// Draws a ring or, with round ends, an arc clockwise from 12 o'clock.
    ///
    /// - Parameters:
    ///   - origin: the top left corner of the ring's bounding box.
    ///   - diameter: outer diameter, up to 160 pixels.
    ///   - thickness: pixels from the outside to the inside.
    ///   - sweep: the length of the arc.
    mutating func drawRing(
        at origin: Point, diameter: Int, thickness: Int, sweep: Sweep = .full, _ ink: Ink = .white
    ) {
        let inner = diameter - 2 * thickness
        var (outside, inside) = (DiscOutline(diameter: diameter), DiscOutline(diameter: inner))
        for line in 0..<diameter {
            let left = outside.inset(at: line)
            let innerLine = line - thickness
            let hole =
                innerLine >= 0 && innerLine < inner
                ? thickness + inside.inset(at: innerLine) : (diameter + 1) / 2
            let y = origin.y + line
            drawRingLine(line, from: left, to: hole, diameter, sweep, x: origin.x, y: y, ink)
            drawRingLine(
                line, from: diameter - hole, to: diameter - left, diameter, sweep, x: origin.x, y: y, ink)
        }
        drawRingEnds(at: origin, diameter: diameter, thickness: thickness, sweep: sweep, ink)
    }

    @inline(never)
    private mutating func drawRingLine(
        _ line: Int, from left: Int, to right: Int, _ diameter: Int, _ sweep: Sweep, x: Int, y: Int, _ ink: Ink
    ) {
        guard !sweep.isFull else {
            horizontalLine(y: y, from: x + left, to: x + right, ink)
            return
        }
        // The pixels of the arc are adjacent, except on a line with both of its ends.
        var begin = left
        for column in left..<max(left, right)
        where !sweep.contains(x: 2 * column - diameter + 1, y: 2 * line - diameter + 1) {
            horizontalLine(y: y, from: x + begin, to: x + column, ink)
            begin = column + 1
        }
        horizontalLine(y: y, from: x + begin, to: x + right, ink)
    }

    @inline(never)
    private mutating func drawRingEnds(at origin: Point, diameter: Int, thickness: Int, sweep: Sweep, _ ink: Ink) {
        guard !sweep.isFull, !sweep.isNone else { return }
        fillDisc(
            at: Point(x: origin.x + (diameter - thickness) / 2, y: origin.y), diameter: thickness, ink)
        let radius = diameter - thickness
        let x = (radius + sweep.x * radius / Sweep.unit) / 2
        let y = (radius + sweep.y * radius / Sweep.unit) / 2
        fillDisc(at: Point(x: origin.x + x, y: origin.y + y), diameter: thickness, ink)
    }

    /// Draws a tick with strokes `thickness` pixels high. It is `3 * size` wide and about as high; its lowest point is
    /// `size` pixels from the left.
    mutating func drawTick(at origin: Point, size: Int, thickness: Int, _ ink: Ink = .white) {
        let x = origin.x
        for column in 0...3 * size {
            let depth = column <= size ? column : 2 * size - column
            let top = origin.y + size + depth
            verticalLine(x: x + column, from: top, to: top + thickness, ink)
        }
    }
}

/// The outline of a disc, as far from each side of its bounding box, line by line: from one line to the next it is a few steps.
private struct DiscOutline {
    private let diameter: Int
    private var inset: Int

    init(diameter: Int) {
        self.diameter = diameter
        inset = diameter / 2
    }

    /// The pixels of line `line` of the bounding box that are outside the disc, on each side. A pixel is inside when its centre is.
    @inline(never)
    mutating func inset(at line: Int) -> Int {
        let y = 2 &* line &- diameter &+ 1
        let limit = diameter &* diameter &- y &* y
        while inset > 0, isInside(inset &- 1, limit) { inset &-= 1 }
        while inset < diameter / 2, !isInside(inset, limit) { inset &+= 1 }
        return inset
    }

    private func isInside(_ column: Int, _ limit: Int) -> Bool {
        let x = diameter &- 1 &- 2 &* column
        return x &* x <= limit
    }
}
