/// Turns UTF-8 into the glyphs of a font, left to right in the order of the bytes.
struct GlyphReader: ~Escapable {
    private var scalars: UTF8Scalars
    private let coverage: GlyphCoverage

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ font: Font) {
        scalars = UTF8Scalars(text)
        coverage = font.coverage
    }

    var offset: Int { scalars.offset }

    /// The font's index of the next glyph, nil at the end. Inlined, its 700 bytes would be in the firmware four times.
    @inline(never)
    @_lifetime(self: copy self)
    mutating func next() -> Int? {
        while let scalar = scalars.next() {
            switch coverage.choice(for: scalar) {
            case .glyph(let index): return index
            case .nothing: continue
            }
        }
        return nil
    }
}
