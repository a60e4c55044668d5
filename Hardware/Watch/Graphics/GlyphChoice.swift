/// What the text layout does with a scalar.
enum GlyphChoice {
    /// Draw the glyph at this place of the font.
    case glyph(Int)
    /// Draw nothing and take no room.
    case nothing
}
