/// How much has come of an answer about kitty's pictures (`ESC _ G ... ESC \`) after the time that there was for it.
///
/// The library takes it for keys, of which some are digits: each would tap a row.
enum LateAnswer {
    /// Nothing.
    case none
    /// ESC and `_`, which are a key together.
    case begun
    /// The letter too that follows them in such an answer.
    case inside

    /// Whether a key is part of an answer, and not the user's.
    mutating func takes(_ key: KeyPress) -> Bool {
        switch (self, key) {
        case (_, .named("M-_")):
            self = .begun
            return true
        case (.none, _): return false
        case (.begun, .text("G")):
            self = .inside
            return true
        case (.inside, .text): return true
        case (.inside, .named("M-\\")):
            self = .none
            return true
        // The user's own: an answer has no such key.
        case (.begun, _), (.inside, .named):
            self = .none
            return false
        }
    }
}
