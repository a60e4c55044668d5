/// How the watch's panel is drawn in a terminal.
package enum ViewKind: String, CaseIterable, Sendable {
    /// What the screen says, as text: the whole screen in few cells.
    case text
    /// Its pixels as braille dots, one to one.
    case braille
    /// Its pixels as pixels of the terminal, which has to have a protocol for pictures.
    case pixels
}

/// Which view a user wants.
package enum ViewPreference: Equatable, Sendable {
    /// The best one that shows the whole panel.
    case automatic
    /// This one, where the terminal can show it.
    case always(ViewKind)
}
