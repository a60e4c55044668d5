import WatchLink

/// The picture for the panel, one bit for each pixel, and its dirty lines, which must still be sent to the panel.
///
/// Drawing is clipped to the panel, and marks lines as dirty. Filling and moving mark the lines in which a byte changes.
/// Text marks every line that it covers. `flush` sends only dirty lines, because sending is slow: on the memory LCD's bus, a
/// line takes 163 us and a frame 27.4 ms.
struct Framebuffer: ~Copyable {
    private let bytes: FixedArray<UInt8>
    let bits: FrameBits
    var dirty: DirtyLines

    /// Makes a black picture. Every line is dirty, because a panel may show anything when it is switched on.
    init(arena: inout MemoryArena) {
        bytes = arena.take(PanelGeometry.bytesPerFrame, of: 0)
        bits = FrameBits(bytes)
        dirty = DirtyLines(arena: &arena)
        dirty.insert(0..<PanelGeometry.height)
    }

    static var memorySize: Int { PanelGeometry.bytesPerFrame + DirtyLines.memorySize }

    var frame: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    // MARK: Dirty lines

    var hasChanges: Bool { !dirty.isEmpty }

    /// Sends up to `most` (1 or more) dirty lines to the panel, from the top down. Returns the number of lines sent. They are
    /// on the panel once `panel.finishLines` returns. If no line is dirty, does not call the panel.
    @discardableResult
    mutating func flush(to panel: inout some Panel & ~Copyable, atMost most: Int = PanelGeometry.height) -> Int {
        guard var line = dirty.removeFirst(from: 0) else { return 0 }
        panel.beginLines()
        var sent = 0
        while true {
            let start = FrameBits.offset(line: line)
            panel.writeLine(line, pixels: bytes.slice(start..<start + PanelGeometry.bytesPerLine).span)
            sent += 1
            guard sent < most, let next = dirty.removeFirst(from: line + 1) else { return sent }
            line = next
        }
    }

    // MARK: Moving

    /// Copies the first `width` pixels (a multiple of 8) of `count` lines. The source lines and the destination lines may
    /// overlap. All must be on the panel.
    mutating func moveLines(
        from source: Int, to destination: Int, count: Int, width: Int = PanelGeometry.width
    ) {
        precondition(source >= 0 && destination >= 0 && count >= 0, "no such lines")
        precondition(max(source, destination) + count <= PanelGeometry.height, "no such lines")
        precondition(width >= 0 && width <= PanelGeometry.width, "wider than the panel")
        // The order depends on the direction, so that each line is copied before it is overwritten.
        for step in 0..<count {
            let line = destination < source ? step : count - 1 - step
            if bits.copyLine(from: source + line, to: destination + line, count: width / 8) {
                dirty.insert(destination + line)
            }
        }
    }

    /// Sets eight pixels of a line, the leftmost from the highest bit of `pixels`. `column` is the index of their byte in
    /// the line.
    mutating func setByte(_ pixels: UInt8, column: Int, line: Int) {
        let place = FrameBits.offset(line: line) + column
        guard bytes[place] != pixels else { return }
        bytes[place] = pixels
        dirty.insert(line)
    }

    // MARK: Rectangles

    @inline(never)
    mutating func fill(_ rect: Rect, _ ink: Ink = .white) {
        let area = rect.intersection(.panel)
        guard !area.isEmpty else { return }
        for line in area.top..<area.bottom { fillLine(line, from: area.left, to: area.right, ink) }
    }

    /// Fills a rectangle with white, to strike through a row's title. The rectangle must be on the panel. The function does
    /// not clip it, because clipping would make the wearer wait longer.
    @inline(never)
    mutating func fillOnPanel(_ rect: Rect) {
        var line = rect.top
        while line < rect.bottom {
            if bits.fill(.white, line: line, from: rect.left, to: rect.right) { dirty.insert(line) }
            line &+= 1
        }
    }

    mutating func clear() {
        fill(.panel, .black)
    }

    @inline(never)
    mutating func horizontalLine(y: Int, from left: Int, to right: Int, _ ink: Ink = .white) {
        let (from, to) = (max(left, 0), min(right, PanelGeometry.width))
        guard from < to, (0..<PanelGeometry.height).contains(y) else { return }
        fillLine(y, from: from, to: to, ink)
    }

    mutating func verticalLine(x: Int, from top: Int, to bottom: Int, _ ink: Ink = .white) {
        fill(Rect(left: x, top: top, right: x + 1, bottom: bottom), ink)
    }

    /// Fills the columns `left..<right` of a line. There must be at least one column, and all must be on the panel.
    @inline(never)
    private mutating func fillLine(_ line: Int, from left: Int, to right: Int, _ ink: Ink) {
        if bits.fill(ink, line: line, from: left, to: right) { dirty.insert(line) }
    }
}

enum Ink: Sendable, BitwiseCopyable {
    case black
    case white
}

extension Framebuffer {
    /// Draws a filled circle. `origin` is the top left corner of the square around it. No pixel outside `clip` changes.
    @inline(never)
    mutating func fillDisc(at origin: Point, diameter: Int, clip: Rect = .panel, _ ink: Ink = .white) {
        var outline = DiscOutline(diameter: diameter)
        for line in 0..<diameter {
            let inset = outline.inset(at: line)
            let span = Rect(x: origin.x + inset, y: origin.y + line, width: diameter - 2 * inset, height: 1)
            fill(span.intersection(clip), ink)
        }
    }

    @inline(never)
    mutating func fillRounded(_ rect: Rect, radius: Int, _ ink: Ink = .white) {
        var outline = DiscOutline(diameter: 2 * radius)
        for line in 0..<rect.height {
            let fromEdge = min(line, rect.height - 1 - line)
            let inset = fromEdge < radius ? outline.inset(at: fromEdge) : 0
            horizontalLine(y: rect.top + line, from: rect.left + inset, to: rect.right - inset, ink)
        }
    }

    /// Draws a ring, or an arc with round ends that runs clockwise from 12 o'clock. `origin` is the top left corner of the
    /// square around the whole ring. `diameter` is the outer diameter, at most 160 pixels.
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
        // The pixels of the arc form one run, except on a line that crosses both ends of the arc.
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

    /// Draws a tick mark that is `3 * size + 1` pixels wide. `origin` is its top left corner. Its strokes are `thickness`
    /// pixels high, and its lowest point is `size` pixels from its left edge.
    mutating func drawTick(at origin: Point, size: Int, thickness: Int, _ ink: Ink = .white) {
        let x = origin.x
        for column in 0...3 * size {
            let depth = column <= size ? column : 2 * size - column
            let top = origin.y + size + depth
            verticalLine(x: x + column, from: top, to: top + thickness, ink)
        }
    }
}

/// The outline of a disc. `inset` searches from its previous result, so it takes few steps if the caller goes line by line.
private struct DiscOutline {
    private let diameter: Int
    private var inset: Int

    init(diameter: Int) {
        self.diameter = diameter
        inset = diameter / 2
    }

    /// Returns how many pixels of a line are outside the disc at each side. A pixel is inside if its centre is.
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

extension Framebuffer {
    /// Draws text, and returns the column at which more text would continue. A character that the font lacks is drawn as a
    /// box. `origin` is the left end of the baseline. Outside `clip`, no pixel changes.
    @inline(never)
    @discardableResult
    mutating func draw(
        _ text: Span<UInt8>, _ font: Font, at origin: Point, ending: FittedText.Ending = .whole,
        clip: Rect = .panel, ink: Ink = .white
    ) -> Int {
        let tables = GlyphTables(font)
        let top = origin.y &- font.ascent
        let area = clip.intersection(.panel)
        var x = origin.x
        var reader = GlyphReader(text, font)
        while x < area.right, let index = reader.next() {
            x &+= draw(index, tables, x: x, y: top, clip: area, ink: ink)
        }
        switch ending {
        case .whole: break
        case .ellipsis: x &+= draw(font.coverage.ellipsisIndex, tables, x: x, y: top, clip: area, ink: ink)
        }
        let first = max(top, area.top)
        let end = min(top &+ tables.height, area.bottom)
        if first < end { dirty.insert(first..<end) }
        return x
    }

    @inline(never)
    @discardableResult
    mutating func draw(
        _ text: StaticString, _ font: Font, at origin: Point, clip: Rect = .panel, ink: Ink = .white
    ) -> Int {
        draw(text.utf8, font, at: origin, clip: clip, ink: ink)
    }

    @inline(never)
    mutating func draw(
        _ text: Span<UInt8>, _ font: Font, centredAt x: Int, baseline: Int, ink: Ink = .white
    ) {
        draw(text, font, at: Point(x: x - font.width(of: text) / 2, y: baseline), ink: ink)
    }

    /// Draws text whose last pixel is in the column before `right`.
    @inline(never)
    mutating func draw(
        _ text: Span<UInt8>, _ font: Font, endingAt right: Int, baseline: Int, ink: Ink = .white
    ) {
        draw(text, font, at: Point(x: right - font.width(of: text), y: baseline), ink: ink)
    }

    /// Draws a glyph, and marks no line as dirty. Returns the glyph's advance in pixels.
    @inline(never)
    private mutating func draw(
        _ index: Int, _ tables: GlyphTables, x: Int, y: Int, clip: Rect, ink: Ink
    ) -> Int {
        let parts = tables.parts(of: index)
        draw(part: parts.body, tables, x: x, y: y, clip: clip, ink: ink)
        if let mark = parts.mark { draw(part: mark, tables, x: x, y: y, clip: clip, ink: ink) }
        return tables.advance(of: parts)
    }

    /// Draws a part of a glyph, and marks no line as dirty.
    @inline(never)
    mutating func draw(part: Int, _ tables: GlyphTables, x: Int, y: Int, clip: Rect, ink: Ink) {
        var room = InlineArray<44, UInt8>(repeating: 0)
        withUnsafeMutableBytes(of: &room) { bytes in
            guard let lines = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            let count = tables.decode(part, into: lines)
            let firstCount = min(count, tables.height)
            var blank = 0
            while blank < firstCount, lines[blank] == 0 { blank &+= 1 }
            blit(lines + blank, height: firstCount &- blank, x: x, y: y &+ blank, clip: clip, ink: ink)
            if count > tables.height {
                blit(lines + tables.height, height: count &- tables.height, x: x &+ 7, y: y, clip: clip, ink: ink)
            }
        }
    }

    /// Draws a strip that is seven pixels wide: a byte for each line, with the leftmost pixel in bit 6. `clip` must be on
    /// the panel. Marks no line as dirty.
    @inline(never)
    mutating func blit(_ strip: UnsafePointer<UInt8>, height: Int, x: Int, y: Int, clip: Rect, ink: Ink) {
        let hiddenLeft = max(0, clip.left &- x)
        let hiddenRight = max(0, x &+ 7 &- clip.right)
        let first = max(0, clip.top &- y)
        let end = min(height, clip.bottom &- y)
        guard hiddenLeft &+ hiddenRight < 7, first < end else { return }
        let visible = UInt32(0x7F) &>> UInt32(truncatingIfNeeded: hiddenLeft &+ hiddenRight)
        bits.blit(
            strip + first, lines: end &- first, mask: visible &<< UInt32(truncatingIfNeeded: hiddenRight), x: x,
            y: y &+ first, negative: ink == .white ? 0 : ~0)
    }
}
