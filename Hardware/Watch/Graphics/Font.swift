/// The watch's fonts, all proportional. Each has ASCII and a box in place of every character that it lacks.
enum Font: Sendable, BitwiseCopyable {
    /// List rows and long text, about 16 characters in a row of the list. Has Latin-1 and Latin Extended-A.
    case row
    /// Bold, for titles and large numbers. Has Latin-1 and Latin Extended-A.
    case title
    /// Labels, ASCII only.
    case small

    /// Height of a glyph in lines, from the top of accented capitals to the bottom of descenders.
    var height: Int {
        switch self {
        case .row: 15
        case .title: 13
        case .small: 10
        }
    }

    /// Lines from the top to the baseline, which is the first line below letters without descenders.
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
