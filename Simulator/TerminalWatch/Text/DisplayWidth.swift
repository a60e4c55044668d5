enum ScalarWidth: Equatable {
    /// Control and format characters, and others that terminals draw in different ways, such as private-use characters and
    /// variation selectors. `TextPieces` drops them.
    case unprintable
    case combining
    case narrow
    case wide

    /// Decides by Unicode's general category, and by the blocks of wide East Asian characters and emoji.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            self = .unprintable
        case .nonspacingMark, .enclosingMark:
            // Variation selectors change how the previous character looks, and terminals disagree about its width then.
            self = (0xFE00...0xFE0F).contains(scalar.value) ? .unprintable : .combining
        default:
            self = ScalarWidth.isWide(scalar.value) ? .wide : .narrow
        }
    }

    /// Whether the scalar is in a block that Unicode Standard Annex 11 calls wide and that terminals draw two columns wide.
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

/// A text as a list of pieces. Each piece is a character with its combining marks, and takes one or two columns in every
/// terminal.
struct TextPieces {
    struct Piece: Equatable {
        var text: Character
        var columns: Int
    }

    private(set) var pieces: [Piece] = []

    var columns: Int { pieces.reduce(0) { $0 + $1.columns } }

    /// Drops control and format characters, which could move the cursor or change the direction of the text. Splits an emoji of
    /// several scalars into its parts.
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

    /// Adds a combining mark to the last piece. Drops the mark if the piece has three already, or would become two characters.
    private mutating func combine(_ mark: Unicode.Scalar) {
        guard let last = pieces.last, last.text.unicodeScalars.count < 4 else { return }
        var text = String(last.text)
        text.unicodeScalars.append(mark)
        if text.count == 1 { pieces[pieces.count - 1].text = Character(text) }
    }

    /// Returns the pieces that fit into `columns`. If some do not fit, the last returned piece is an ellipsis.
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
