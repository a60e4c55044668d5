import WatchLink

/// The part of a text that fits a width.
public struct FittedText: Equatable, Sendable, BitwiseCopyable {
    /// How it ends.
    public enum Ending: UInt8, Sendable, BitwiseCopyable {
        /// With its last character.
        case whole = 0
        /// With an ellipsis, which shows that there was more.
        case ellipsis = 1
    }

    /// The bytes of the text that are drawn, counted from its start.
    public var byteCount: Int
    /// Pixels from the left edge of the first glyph to the right edge of the last, the ellipsis included.
    public var width: Int
    /// How it ends.
    public var ending: Ending
}

extension Font {
    /// Pixels from the left edge of the text's first glyph to the right edge of its last.
    @inline(never)
    public func width(of text: Span<UInt8>) -> Int {
        let tables = GlyphTables(self)
        var reader = GlyphReader(text, self)
        var x = 0
        while let index = reader.next() { x &+= tables.advance(of: index) }
        return max(0, x &- 1)
    }

    /// The part of `text` that fits `width` pixels. A text that does not fit, or was cut before, ends in an ellipsis, for
    /// which room is made at a glyph's edge; no blank stands before it.
    @inline(never)
    public func fit(
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
