/// A font's glyphs.
///
/// The tables are literals of type `StaticString`, seven pixels to an ASCII byte, because a literal is the one constant that
/// is in .rodata and has an address in every kind of build: on armv7em (-Osize) `utf8Start` compiles to a PC-relative
/// address. A `static let` of type `InlineArray` also ends up in .rodata there, with a lazy initialiser that is left empty
/// and never called, but it has no address that a struct could hold, so choosing between fonts would copy it, and
/// unoptimised it is a lazily filled global. Neither form uses the heap.
///
/// A module that uses this one compiles its own copy of what it calls, and the linker cannot fold the copies of a literal
/// with zero bytes in it: 13 KB twice. `@export(interface)` on the getters keeps the literals in this module; it has no
/// effect on the property, nor without `@inline(never)`.
struct GlyphTables: BitwiseCopyable {
    private let widths: UnsafePointer<UInt8>
    private let rows: UnsafePointer<UInt8>
    private let wide: UnsafePointer<UInt8>
    private let wideEnd: UnsafePointer<UInt8>
    /// Lines of a glyph.
    let height: Int

    /// The glyphs of a font.
    @inline(never)
    init(_ font: Font) {
        let tables: (widths: StaticString, rows: StaticString, wide: StaticString) =
            switch font {
            case .row: (RowFontTable.widths, RowFontTable.rows, RowFontTable.wide)
            case .title: (TitleFontTable.widths, TitleFontTable.rows, TitleFontTable.wide)
            case .small: (SmallFontTable.widths, SmallFontTable.rows, SmallFontTable.wide)
            }
        widths = tables.widths.utf8Start
        rows = tables.rows.utf8Start
        wide = tables.wide.utf8Start
        wideEnd = wide + tables.wide.utf8CodeUnitCount
        height = font.height
    }

    /// Pixels from where the glyph begins to where the next one does. `index` is below the coverage's `glyphCount`.
    func advance(of index: Int) -> Int {
        Int(widths[index])
    }

    /// The leftmost seven pixels of the glyph: a byte a line, top to bottom, bit 6 the leftmost.
    func firstStrip(of index: Int) -> UnsafePointer<UInt8> {
        rows + index &* height
    }

    /// The pixels to the right of those, for the few glyphs that have any.
    func secondStrip(of index: Int) -> UnsafePointer<UInt8>? {
        guard advance(of: index) > 8 else { return nil }
        var record = wide
        while record < wideEnd {
            if Int(record[0]) &<< 7 | Int(record[1]) == index { return record + 2 }
            record += 2 &+ height
        }
        return nil
    }
}
