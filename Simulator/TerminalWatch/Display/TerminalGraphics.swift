/// Whether a terminal draws pictures between its characters.
package enum TerminalGraphics: Equatable, Sendable {
    case none
    /// It does, by this protocol; `cell` is the size of a character in pixels.
    case some(GraphicsProtocol, cell: PixelSize)
}

/// How a picture is sent to a terminal.
package enum GraphicsProtocol: String, Sendable {
    /// Kitty's: files in base 64, which the terminal keeps by number.
    case kitty
    /// DEC's sixels: six lines of pixels to a character.
    case sixel
}

/// A size in pixels.
package struct PixelSize: Equatable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
