/// A font's glyphs, taken out of its table as they are drawn.
///
/// A glyph is a part, or two: a letter with an accent is a body and a mark over each other. A part is lines of seven pixels
/// from the font's first line on, bit 6 leftmost; blank lines at its end are left out. Of a part wider than that, the
/// strip to the right begins `height` lines later. The table (`generate-font` writes it) consists of
///
/// - a header: the code of the first rule, the widest part, how many blank lines most parts begin with; and, of two bytes
///   each, where the letters and the groups begin and which part is the first mark;
/// - rules: two codes each, in the place of which a part has the rule's number. At most four wait for their turn at a time;
/// - letters, U+00C0 to U+017F: 80 times the body's number, plus the mark's, from 1; 0 is none. Two bytes each;
/// - groups: where the first of eight parts begins, two bytes each;
/// - parts: their number of codes, less 1, times the widest width, plus their own width, less 1; then the codes. The first
///   code is 126 if the part has not the blank lines that most begin with; those are left out of the others. A code below
///   the first rule is a line of pixels turned right by one; after the code 127, any is.
///
/// So the four tables take 5.8 KB, a line a byte 12.7 KB. They are literals of type `StaticString`, of seven bits to a byte
/// because those are ASCII, and a literal because that is the one constant that is in .rodata and has an address in every
/// kind of build: on armv7em (-Osize) `utf8Start` compiles to a PC-relative address. A `static let` of type `InlineArray`
/// also ends up in .rodata there, but has no address that a struct could hold, so choosing between fonts would copy it, and
/// unoptimised it is a lazily filled global.
///
/// A module that uses this one compiles its own copy of what it calls, and the linker cannot fold the copies of a literal
/// with zero bytes in it. `@export(interface)` on the getters keeps the literals in this module; it has no effect on the
/// property, nor without `@inline(never)`.
struct GlyphTables: BitwiseCopyable {
    private let bytes: UnsafePointer<UInt8>
    /// Lines of a glyph.
    let height: Int

    /// The glyphs of a font.
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

    /// The digits of the time: four strips of each are four parts, one after the other.
    static var timeDigits: GlyphTables {
        GlyphTables(TimeDigitsTable.bytes, height: TimeDigits.height)
    }

    /// The most lines that a part has: those of a digit of the time, or of two strips of a glyph.
    static var mostLines: Int { 44 }

    /// What a glyph consists of. `index` is at most the coverage's `replacementIndex`.
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

    /// Pixels from where the glyph begins to where the next one does. `index` is at most the coverage's `replacementIndex`.
    @inline(never)
    func advance(of index: Int) -> Int {
        advance(of: parts(of: index))
    }

    /// Pixels from where a glyph of these parts begins to where the next one does.
    func advance(of parts: GlyphParts) -> Int {
        let width = width(of: parts.body)
        guard let mark = parts.mark else { return width &+ 1 }
        return max(width, self.width(of: mark)) &+ 1
    }

    /// Pixels from the left edge of the glyph to the right edge of a part of it.
    private func width(of part: Int) -> Int {
        Int(bytes[part]) % Int(bytes[1]) &+ 1
    }

    /// Writes the lines of the part at `part` of the table, `mostLines` at most, over zeros, and returns how many there are.
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
        // The codes that come before those of the record, the first in the lowest byte, each with a bit that tells it from
        // nothing.
        var waiting: UInt32 = 0
        // Codes below it are lines.
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

    /// Where in the table the bytes of a part begin.
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
