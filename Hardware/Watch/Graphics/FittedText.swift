import WatchLink

struct FittedText: Equatable, Sendable, BitwiseCopyable {
    enum Ending: Sendable, BitwiseCopyable {
        case whole
        case ellipsis
    }

    /// How many bytes of the text fit, from its start.
    var byteCount: Int
    /// In pixels, from the left edge of the first glyph to the right edge of the last, including an ellipsis.
    var width: Int
    var ending: Ending
}

extension Font {
    /// Measures a text in pixels, from the left edge of the first glyph to the right edge of the last.
    @inline(never)
    func width(of text: Span<UInt8>) -> Int {
        let tables = GlyphTables(self)
        var reader = GlyphReader(text, self)
        var x = 0
        while let index = reader.next() { x &+= tables.advance(of: index) }
        return max(0, x &- 1)
    }

    /// Finds how much of a text fits into a width in pixels. If the text does not fit, or was already cut, leaves room for an
    /// ellipsis, which follows the last character that is not blank.
    @inline(never)
    func fit(
        _ text: Span<UInt8>, in width: Int, completeness: ItemTitle.Completeness = .whole
    ) -> FittedText {
        let tables = GlyphTables(self)
        let ellipsis = tables.advance(of: coverage.ellipsisIndex)
        var reader = GlyphReader(text, self)
        var x = 0
        // The longest start of the text that leaves room for the ellipsis, without trailing blanks.
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

/// Breaks a text into lines of at most `width` pixels, at blanks if possible.
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

    var rest: Range<Int> { start..<text.count }

    /// Returns the byte range of the next line, without trailing blanks; nil after the last line. A word that is wider than a
    /// line is broken between characters. A line takes at least one character, even if that character is wider than the line.
    @inline(never)
    @_lifetime(self: copy self)
    mutating func next() -> Range<Int>? {
        guard start < text.count else { return nil }
        let begin = start
        let tables = GlyphTables(font)
        var reader = GlyphReader(text.extracting(begin..<text.count), font)
        var x = 0
        var end = 0
        var inkEnd = 0
        // The last blanks that were read. A line that is broken there ends before them, and the next line begins after them.
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

/// Reads Unicode scalars from bytes that should be UTF-8. Each maximal ill-formed part reads as one U+FFFD (The Unicode
/// Standard, section 3.9, "U+FFFD Substitution of Maximal Subparts"). Never traps, whatever the bytes are. `String` would need
/// Unicode tables of 20 KB and a heap.
struct UTF8Scalars: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    private static var replacement: UInt32 { 0xFFFD }

    @_lifetime(self: copy self)
    mutating func next() -> UInt32? {
        guard offset < bytes.count else { return nil }
        let first = UInt32(bytes[offset])
        offset &+= 1
        if first < 0x80 { return first }
        // The first byte may limit the second byte. These limits exclude overlong forms, surrogates and scalars above U+10FFFF.
        switch first {
        case 0xC2...0xDF: return continued(first & 0x1F, by: 1, from: 0x80, to: 0xBF)
        case 0xE0: return continued(0, by: 2, from: 0xA0, to: 0xBF)
        case 0xED: return continued(0xD, by: 2, from: 0x80, to: 0x9F)
        case 0xE1...0xEF: return continued(first & 0xF, by: 2, from: 0x80, to: 0xBF)
        case 0xF0: return continued(0, by: 3, from: 0x90, to: 0xBF)
        case 0xF1...0xF3: return continued(first & 0x7, by: 3, from: 0x80, to: 0xBF)
        case 0xF4: return continued(4, by: 3, from: 0x80, to: 0x8F)
        case _: return UTF8Scalars.replacement
        }
    }

    /// Reads `count` continuation bytes, and appends their bits to `start`. The first of these bytes must be in `low ... high`.
    /// Stops before a byte that does not fit, and returns U+FFFD.
    @_lifetime(self: copy self)
    private mutating func continued(_ start: UInt32, by count: Int, from low: UInt8, to high: UInt8) -> UInt32 {
        var scalar = start
        for index in 0..<count {
            guard offset < bytes.count else { return UTF8Scalars.replacement }
            let byte = bytes[offset]
            guard index == 0 ? byte >= low && byte <= high : byte & 0xC0 == 0x80 else {
                return UTF8Scalars.replacement
            }
            scalar = scalar &<< 6 | UInt32(byte & 0x3F)
            offset &+= 1
        }
        return scalar
    }
}
