import WatchLink

extension Framebuffer {
    /// Draws a line of text and returns the column where more text would continue.
    ///
    /// - Parameters:
    ///   - text: UTF-8; characters that the font lacks are drawn as a box.
    ///   - origin: the left end of the baseline.
    ///   - ending: whether an ellipsis follows.
    ///   - clip: no pixel outside it changes.
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

    /// Draws a text with its middle in column `x`.
    @inline(never)
    mutating func draw(
        _ text: Span<UInt8>, _ font: Font, centredAt x: Int, baseline: Int, ink: Ink = .white
    ) {
        draw(text, font, at: Point(x: x - font.width(of: text) / 2, y: baseline), ink: ink)
    }

    /// Draws a text whose last column is the one before `right`.
    @inline(never)
    mutating func draw(
        _ text: Span<UInt8>, _ font: Font, endingAt right: Int, baseline: Int, ink: Ink = .white
    ) {
        draw(text, font, at: Point(x: right - font.width(of: text), y: baseline), ink: ink)
    }

    /// Draws a glyph with its top left corner at (x, y) and returns its advance. Marks no line as dirty.
    @inline(never)
    private mutating func draw(
        _ index: Int, _ tables: GlyphTables, x: Int, y: Int, clip: Rect, ink: Ink
    ) -> Int {
        let parts = tables.parts(of: index)
        draw(part: parts.body, tables, x: x, y: y, clip: clip, ink: ink)
        if let mark = parts.mark { draw(part: mark, tables, x: x, y: y, clip: clip, ink: ink) }
        return tables.advance(of: parts)
    }

    /// Draws the part at index `part` of the table; (x, y) is the glyph's top left corner. Marks no line as dirty.
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

    /// Draws a strip of seven columns and `height` lines with its top left corner at (x, y): each byte is a line, bit 6
    /// its leftmost pixel. `clip` lies on the panel. Marks no line as dirty.
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
