/// The characters of a font in the order of its table.
enum GlyphCoverage: BitwiseCopyable {
    case ascii
    /// ASCII, U+00A0 to U+017F, and a few typographic characters.
    case latin

    private static var asciiCount: Int { 95 }
    private static var latinCount: Int { 0xE0 }
    /// The index of the first typographic character.
    private static var punctuationStart: Int { asciiCount &+ latinCount }

    /// The glyphs composed of parts: U+00C0 to U+017F.
    static var letters: Range<Int> { asciiCount &+ 0x20..<punctuationStart }

    /// The box for characters that the font lacks.
    var replacementIndex: Int {
        switch self {
        case .ascii: GlyphCoverage.asciiCount
        case .latin: GlyphCoverage.punctuationStart &+ 9
        }
    }

    /// The ellipsis, or the full stop in a font without one.
    var ellipsisIndex: Int {
        switch self {
        case .ascii: 0x2E &- 0x20
        case .latin: GlyphCoverage.punctuationStart &+ 7
        }
    }

    func choice(for scalar: UInt32) -> GlyphChoice {
        switch scalar {
        case 0x20...0x7E:
            return .glyph(Int(scalar) &- 0x20)
        case 0x09...0x0D, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            // Blanks and line ends of all kinds.
            return .glyph(0)
        case 0x2010...0x2012, 0x2212:
            // Hyphens, and the minus sign.
            return .glyph(0x2D &- 0x20)
        case 0xAD, 0x300...0x36F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x20D0...0x20FF, 0xFE00...0xFE0F,
            0xFEFF, 0x1F3FB...0x1F3FF, 0xE0000...0xE0FFF:
            // Soft hyphen, combining marks, joiners, direction marks, variation selectors, skin tones and tags change a
            // neighbour, which is drawn without them.
            return .nothing
        case _:
            switch self {
            case .ascii: return .glyph(replacementIndex)
            case .latin: return .glyph(latinIndex(of: scalar))
            }
        }
    }

    private func latinIndex(of scalar: UInt32) -> Int {
        let start = GlyphCoverage.punctuationStart
        // The order of generate-font.
        switch scalar {
        case 0xA0...0x17F: return GlyphCoverage.asciiCount &+ Int(scalar) &- 0xA0
        case 0x2013, 0x2014: return start &+ Int(scalar) &- 0x2013
        case 0x2018, 0x2019: return start &+ 2 &+ Int(scalar) &- 0x2018
        case 0x201C, 0x201D: return start &+ 4 &+ Int(scalar) &- 0x201C
        case 0x2022: return start &+ 6
        case 0x2026: return start &+ 7
        case 0x20AC: return start &+ 8
        case _: return replacementIndex
        }
    }
}

enum GlyphChoice {
    /// The glyph at this index of the font.
    case glyph(Int)
    /// Nothing, and it takes no room.
    case nothing
}
