/// The watch's fonts. Each has ASCII and a box that stands for every character it lacks; widths are proportional.
public enum Font: UInt8, Sendable, BitwiseCopyable {
    /// List rows and long text: about 16 characters in a row of the list. Latin-1 and Latin Extended-A too.
    case row = 0
    /// Titles and numbers that matter: bold. Latin-1 and Latin Extended-A too.
    case title = 1
    /// Labels of our own wording.
    case small = 2

    /// Lines of a glyph, from the top of accented capitals to the bottom of descenders.
    public var height: Int {
        switch self {
        case .row: 15
        case .title: 13
        case .small: 10
        }
    }

    /// Lines from the top to the baseline: the baseline is the first line below letters that do not descend.
    public var ascent: Int {
        switch self {
        case .row: 12
        case .title: 11
        case .small: 8
        }
    }

    /// The characters it has.
    var coverage: GlyphCoverage {
        switch self {
        case .row, .title: .latin
        case .small: .ascii
        }
    }
}
