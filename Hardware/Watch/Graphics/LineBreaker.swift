/// Breaks a text into lines of at most `width` pixels, at blanks where possible.
struct LineBreaker: ~Escapable {
    private let text: Span<UInt8>
    private let font: Font
    private let width: Int
    private var start = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ font: Font, width: Int) {
        self.text = text
        self.font = font
        self.width = width
    }

    /// The bytes that no line has returned yet.
    var rest: Range<Int> { start..<text.count }

    /// The bytes of the next line without the blanks at its end, nil at the end of the text. A word wider than a line
    /// is broken between characters; every line has at least one character.
    @inline(never)
    @_lifetime(self: copy self)
    mutating func next() -> Range<Int>? {
        guard start < text.count else { return nil }
        let begin = start
        let tables = GlyphTables(font)
        var reader = GlyphReader(text.extracting(begin..<text.count), font)
        var x = 0
        // The ends of the last glyph and of the last glyph that is not a blank.
        var end = 0
        var inkEnd = 0
        // The last blanks: the end of this line and the start of the next, if it is broken there.
        var lastBlanks = 0..<0
        while let index = reader.next() {
            x &+= tables.advance(of: index)
            if index == 0 {
                lastBlanks = inkEnd..<reader.offset
            } else if x &- 1 > width && end > 0 {
                if lastBlanks.lowerBound == 0 { lastBlanks = end..<end }
                start = begin + lastBlanks.upperBound
                return begin..<begin + lastBlanks.lowerBound
            }
            end = reader.offset
            if index != 0 { inkEnd = end }
        }
        start = text.count
        return begin..<begin + inkEnd
    }
}
