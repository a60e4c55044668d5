/// The parts that a glyph is drawn from, over each other; the numbers are those of the font's table.
struct GlyphParts: BitwiseCopyable {
    /// The letter, or all of the glyph.
    var body: Int
    /// What makes another letter of it.
    var mark: Int?
}
