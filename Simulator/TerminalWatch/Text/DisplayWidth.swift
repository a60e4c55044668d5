/// How many columns of a terminal a scalar takes.
enum ScalarWidth: Equatable {
    /// None, and its effect on a terminal is unpredictable: controls, format characters, bidirectional marks.
    case unprintable
    /// None: it is drawn onto the character before it.
    case combining
    /// One column.
    case narrow
    /// Two columns.
    case wide

    /// The width of `scalar`, by Unicode's general category and its East Asian wide blocks.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            self = .unprintable
        case .nonspacingMark, .enclosingMark:
            // Variation selectors ask for another picture of the character before them; few terminals agree on its
            // width.
            self = (0xFE00...0xFE0F).contains(scalar.value) ? .unprintable : .combining
        default:
            self = ScalarWidth.isWide(scalar.value) ? .wide : .narrow
        }
    }

    /// The blocks of Unicode Standard Annex 11 whose characters are wide, as terminals count them.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            true
        default:
            false
        }
    }
}

/// A text in pieces that every terminal places alike: a character with the marks that combine with it, one or two
/// columns wide.
struct TextPieces {
    struct Piece: Equatable {
        var text: Character
        /// The columns it takes: 1 or 2.
        var columns: Int
    }

    private(set) var pieces: [Piece] = []

    var columns: Int { pieces.reduce(0) { $0 + $1.columns } }

    /// `text` without what a terminal must not be sent.
    ///
    /// Controls and format characters (which could move the cursor, or turn the text around) are left out, so a picture
    /// put together from several scalars comes out as its parts.
    init(_ text: some StringProtocol) {
        for scalar in text.unicodeScalars {
            switch ScalarWidth(scalar) {
            case .unprintable:
                continue
            case .combining:
                combine(scalar)
            case .narrow:
                pieces.append(Piece(text: Character(scalar), columns: 1))
            case .wide:
                pieces.append(Piece(text: Character(scalar), columns: 2))
            }
        }
    }

    /// Puts a mark onto the last piece, unless they do not make one character or there have been three already.
    private mutating func combine(_ mark: Unicode.Scalar) {
        guard let last = pieces.last, last.text.unicodeScalars.count < 4 else { return }
        var text = String(last.text)
        text.unicodeScalars.append(mark)
        if text.count == 1 { pieces[pieces.count - 1].text = Character(text) }
    }

    /// The first pieces that fit into `columns`, the last one an ellipsis where something is missing.
    func fitted(to columns: Int) -> [Piece] {
        guard self.columns > columns else { return pieces }
        var fitted: [Piece] = []
        var used = 0
        for piece in pieces {
            guard used + piece.columns < columns else { break }
            fitted.append(piece)
            used += piece.columns
        }
        if columns > 0 { fitted.append(Piece(text: "…", columns: 1)) }
        return fitted
    }
}
