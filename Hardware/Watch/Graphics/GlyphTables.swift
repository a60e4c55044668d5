/// The compressed glyphs of a font. A glyph is decoded each time it is drawn.
///
/// A glyph is one part, or two that are drawn over each other: a body and a mark, such as a letter and its accent. A part has one
/// byte for each line: seven pixels, the leftmost in bit 6. It starts at the font's first line, and omits blank lines at its end.
/// A part that is wider than seven pixels has its left half in lines 0 to `height` - 1, and its right half in the lines after
/// them.
///
/// The script `generate-font` writes the table, in this order. Each byte of the table has seven bits. A two-byte number has its
/// higher bits in the first byte.
///
/// - header, a byte each: the code of the first rule, the width of the widest part, the number of blank lines with which most
///   parts start;
/// - header, two bytes each: the offset of the letters below, the offset of the groups below, the number of the first mark's part;
/// - rules, two bytes each: the two codes that the rule's code stands for. These codes may be rules too. The decoder
///   expands the first code before the second, and at most four second codes wait at a time;
/// - letters, two bytes for each of U+00C0 to U+017F: 80 * (number of the body's part) + (number of the mark). Marks are numbered
///   from 1, and 0 means that the letter has no mark;
/// - groups, two bytes each: the offset of every eighth part;
/// - parts: one byte with (number of codes - 1) * (width of the widest part) + (width of this part) - 1, and then the codes.
///
/// A code below the first rule's code is a line, with its seven bits rotated right by one. The code 127 means that the next code
/// is a line, whatever its value. If a part's first code is 126, the part does not start with the usual blank lines.
///
/// The tables of the three fonts and of the time digits take 5.8 KB. With a byte for each line, they would take 12.7 KB.
///
/// The tables are `StaticString` literals with seven bits in each byte (ASCII). Only a literal is in .rodata and has an address
/// in every kind of build. A `static let` of type `InlineArray` is in .rodata on armv7em too, but without an address, so choosing
/// a font would copy it. Without optimisation, it is a global that is filled at its first use.
///
/// The compiler copies code of this module, with its literals, into each module that calls it. The linker cannot merge the copies
/// of a literal that contains a zero byte. `@export(interface)` keeps the literals in this module. It works only on a getter that
/// also has `@inline(never)`.
struct GlyphTables: BitwiseCopyable {
    private let bytes: UnsafePointer<UInt8>
    let height: Int

    @inline(never)
    init(_ font: Font) {
        let table =
            switch font {
            case .row: RowFontTable.bytes
            case .title: TitleFontTable.bytes
            case .small: SmallFontTable.bytes
            }
        self.init(table, height: font.height)
    }

    private init(_ table: StaticString, height: Int) {
        bytes = table.utf8Start
        self.height = height
    }

    /// The digits of the time on the face. Each digit consists of four successive parts of the table, which are vertical
    /// strips from left to right.
    static var timeDigits: GlyphTables {
        GlyphTables(TimeDigitsTable.bytes, height: TimeDigits.height)
    }

    /// The maximum number of lines of a decoded part. A strip of a time digit has 44 lines. The two strips of a wide letter
    /// have at most 30 lines together.
    static var mostLines: Int { 44 }

    /// Returns the parts of a glyph. `index` is its index in the font's `GlyphCoverage`, from 0 to `replacementIndex`.
    @inline(never)
    func parts(of index: Int) -> GlyphParts {
        let letter = index &- GlyphCoverage.letters.lowerBound
        var body = index
        var mark = 0
        if letter >= GlyphCoverage.letters.count {
            body = index &- GlyphCoverage.letters.count
        } else if letter >= 0 {
            let both = number(at: number(at: 3) &+ 2 &* letter)
            body = both / 80
            mark = both % 80
        }
        return GlyphParts(body: record(of: body), mark: mark == 0 ? nil : record(of: number(at: 7) &+ mark &- 1))
    }

    /// Returns the advance of a glyph in pixels. `index` is its index in the font's `GlyphCoverage`, from 0 to
    /// `replacementIndex`.
    @inline(never)
    func advance(of index: Int) -> Int {
        advance(of: parts(of: index))
    }

    func advance(of parts: GlyphParts) -> Int {
        let width = width(of: parts.body)
        guard let mark = parts.mark else { return width &+ 1 }
        return max(width, self.width(of: mark)) &+ 1
    }

    private func width(of part: Int) -> Int {
        Int(bytes[part]) % Int(bytes[1]) &+ 1
    }

    /// Decodes a part into `lines`, which must hold `mostLines` zeros. `part` is the part's offset in the table. Returns how
    /// many lines the part has.
    @inline(never)
    func decode(_ part: Int, into lines: UnsafeMutablePointer<UInt8>) -> Int {
        let ruleStart = UInt32(bytes[0])
        var next = part
        let end = next &+ codeCount(next) &+ 1
        var count = Int(bytes[2])
        if bytes[next &+ 1] == 126 {
            next &+= 1
            count = 0
        }
        // The codes that are still pending after a rule, the next one in the lowest byte. Bit 7 marks a code, so 0 means none.
        var waiting: UInt32 = 0
        var lineLimit = ruleStart
        while true {
            var code = waiting & 0x7F
            if waiting == 0 {
                next &+= 1
                guard next < end else { return count }
                code = UInt32(bytes[next])
            }
            waiting &>>= 8
            while code >= lineLimit, code != 0x7F {
                let rule = 9 &+ 2 &* Int(truncatingIfNeeded: code &- ruleStart)
                waiting = waiting &<< 8 | UInt32(bytes[rule &+ 1]) | 0x80
                code = UInt32(bytes[rule])
            }
            if code < lineLimit {
                lines[count] = UInt8(truncatingIfNeeded: code &<< 1 & 0x7F | code &>> 6)
                count &+= 1
                lineLimit = ruleStart
            } else {
                lineLimit = 0x80
            }
        }
    }

    @inline(never)
    func record(of part: Int) -> Int {
        var place = number(at: number(at: 5) &+ (part &>> 3) &<< 1)
        for _ in 0..<(part & 7) { place &+= codeCount(place) &+ 1 }
        return place
    }

    private func codeCount(_ record: Int) -> Int {
        Int(bytes[record]) / Int(bytes[1]) &+ 1
    }

    private func number(at place: Int) -> Int {
        Int(bytes[place]) &<< 7 | Int(bytes[place &+ 1])
    }
}

/// The offsets of a glyph's parts in the font's table. The mark, if there is one, is drawn over the body.
struct GlyphParts: BitwiseCopyable {
    var body: Int
    var mark: Int?
}

struct GlyphReader: ~Escapable {
    private var scalars: UTF8Scalars
    private let coverage: GlyphCoverage

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ font: Font) {
        scalars = UTF8Scalars(text)
        coverage = font.coverage
    }

    var offset: Int { scalars.offset }

    /// Returns the font's index for the next glyph of the text; nil at the end. Not inlined, because the firmware would
    /// otherwise contain the function's 700 bytes four times.
    @inline(never)
    @_lifetime(self: copy self)
    mutating func next() -> Int? {
        while let scalar = scalars.next() {
            if let index = coverage.index(of: scalar) { return index }
        }
        return nil
    }
}

/// A font of the watch. It has at least the printable characters of ASCII, and draws a box for a character that it lacks.
enum Font: Sendable, BitwiseCopyable {
    /// About 16 characters fit in a row of the list. Has Latin-1 and Latin Extended-A.
    case row
    /// Bold. Has Latin-1 and Latin Extended-A.
    case title
    case small

    /// The height in pixels, from the top of an accented capital to the bottom of a descender.
    var height: Int {
        switch self {
        case .row: 15
        case .title: 13
        case .small: 10
        }
    }

    /// The distance in pixels from the top of the font to the baseline. The baseline is the first line of pixels below a
    /// letter without a descender.
    var ascent: Int {
        switch self {
        case .row: 12
        case .title: 11
        case .small: 8
        }
    }

    var coverage: GlyphCoverage {
        switch self {
        case .row, .title: .latin
        case .small: .ascii
        }
    }
}

/// Which characters a font has. The index of a character is its position among the font's characters.
enum GlyphCoverage: BitwiseCopyable {
    case ascii
    /// ASCII, U+00A0 to U+017F, and a few typographic characters.
    case latin

    private static var asciiCount: Int { 95 }
    private static var latinCount: Int { 0xE0 }
    private static var punctuationStart: Int { asciiCount &+ latinCount }

    /// The indices of U+00C0 to U+017F. The font's table composes each of these letters from a body and an optional mark.
    static var letters: Range<Int> { asciiCount &+ 0x20..<punctuationStart }

    var replacementIndex: Int {
        switch self {
        case .ascii: GlyphCoverage.asciiCount
        case .latin: GlyphCoverage.punctuationStart &+ 9
        }
    }

    /// The index of the ellipsis, or of the full stop if the font has no ellipsis.
    var ellipsisIndex: Int {
        switch self {
        case .ascii: 0x2E &- 0x20
        case .latin: GlyphCoverage.punctuationStart &+ 7
        }
    }

    /// Returns the index of the glyph for a character. Nil if the character is not drawn and takes no space.
    func index(of scalar: UInt32) -> Int? {
        switch scalar {
        case 0x20...0x7E:
            return Int(scalar) &- 0x20
        case 0x09...0x0D, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            // Blanks and line ends of all kinds are drawn as a space.
            return 0
        case 0x2010...0x2012, 0x2212:
            // Hyphens and the minus sign are drawn as a hyphen.
            return 0x2D &- 0x20
        case 0xAD, 0x300...0x36F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x20D0...0x20FF, 0xFE00...0xFE0F,
            0xFEFF, 0x1F3FB...0x1F3FF, 0xE0000...0xE0FFF:
            // Soft hyphens, combining marks, joiners, direction marks, variation selectors, skin tones and tags are not drawn.
            // They only modify the character next to them. The watch draws that character without the modification.
            return nil
        case _:
            switch self {
            case .ascii: return replacementIndex
            case .latin: return latinIndex(of: scalar)
            }
        }
    }

    private func latinIndex(of scalar: UInt32) -> Int {
        let start = GlyphCoverage.punctuationStart
        // The characters are in the order of generate-font.
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
