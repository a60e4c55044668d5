/// The parts that a glyph is drawn from, over each other: where in the font's table they begin.
struct GlyphParts: BitwiseCopyable {
    /// The letter, or all of the glyph.
    var body: Int
    /// What makes another letter of it.
    var mark: Int?
}
