/// A key as a terminal reports it.
public enum KeyPress: Equatable, Sendable {
    /// A key that stands for a character.
    case text(String)
    /// A named key with its modifiers in front: `Up`, `PageDown`, `Enter`, `C-c`, `S-Left`.
    case named(String)
}

/// What a mouse did, in cells of the terminal.
public enum MouseAction: Equatable, Sendable {
    /// A button went down over a cell.
    case press(CellPoint)
    /// The wheel turned by one notch, down when positive.
    case wheel(notches: Int8)
}

/// What a terminal tells its program.
public enum TerminalEvent: Equatable, Sendable {
    /// A key was pressed.
    case key(KeyPress)
    /// The mouse was used.
    case mouse(MouseAction)
    /// The terminal has another size now.
    case resized(CellSize)
}
