import WatchLink

/// The part of a text that fits a width.
struct FittedText: Equatable, Sendable, BitwiseCopyable {
    enum Ending: Sendable, BitwiseCopyable {
        case whole
        /// The text was longer.
        case ellipsis
    }

    /// The bytes of the text that are drawn, counted from its start.
    var byteCount: Int
    /// Pixels from the left edge of the first glyph to the right edge of the last, the ellipsis included.
    var width: Int
    var ending: Ending
}

extension Font {
    /// Pixels from the left edge of the text's first glyph to the right edge of its last.
    @inline(never)
    func width(of text: Span<UInt8>) -> Int {
        let tables = GlyphTables(self)
        var reader = GlyphReader(text, self)
        var x = 0
        while let index = reader.next() { x &+= tables.advance(of: index) }
        return max(0, x &- 1)
    }

    /// The part of `text` that fits `width` pixels. A text that does not fit, or was cut before, ends in an ellipsis
    /// right after a glyph that is not a blank.
    @inline(never)
    func fit(
        _ text: Span<UInt8>, in width: Int, completeness: ItemTitle.Completeness = .whole
    ) -> FittedText {
        let tables = GlyphTables(self)
        let ellipsis = tables.advance(of: coverage.ellipsisIndex)
        var reader = GlyphReader(text, self)
        var x = 0
        // The longest start, without blanks at its end, that leaves room for the ellipsis.
        var kept = FittedText(byteCount: 0, width: ellipsis &- 1, ending: .ellipsis)
        while let index = reader.next() {
            x &+= tables.advance(of: index)
            if x &- 1 > width { return kept }
            if index != 0 && x &+ ellipsis &- 1 <= width {
                kept = FittedText(byteCount: reader.offset, width: x &+ ellipsis &- 1, ending: .ellipsis)
            }
        }
        switch completeness {
        case .whole: return FittedText(byteCount: text.count, width: max(0, x &- 1), ending: .whole)
        case .cut: return kept
        }
    }
}
