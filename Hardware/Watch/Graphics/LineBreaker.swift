/// Breaks a text into lines of a width, at blanks where it can.
public struct LineBreaker: ~Escapable {
    private let text: Span<UInt8>
    private let font: Font
    private let width: Int
    private var start = 0

    /// A breaker of `text` into lines of at most `width` pixels.
    @_lifetime(copy text)
    public init(_ text: Span<UInt8>, _ font: Font, width: Int) {
        self.text = text
        self.font = font
        self.width = width
    }

    /// Whether every byte is in a line that was returned.
    public var isAtEnd: Bool { start >= text.count }

    /// What has not been returned yet.
    public var rest: Range<Int> { start..<text.count }

    /// The bytes of the next line, without the blanks at its end, or nil when there is none. A word that is wider than a
    /// line is broken at a character; one character at least is in every line.
    @inline(never)
    @_lifetime(self: copy self)
    public mutating func next() -> Range<Int>? {
        guard start < text.count else { return nil }
        let begin = start
        let tables = GlyphTables(font)
        var reader = GlyphReader(text.extracting(begin..<text.count), font)
        var x = 0
        // Where the last glyph ended, and where the last one that is no blank did.
        var end = 0
        var inkEnd = 0
        // The last blanks: where the line would end, and where the next would begin.
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
