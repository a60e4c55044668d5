@testable import Watch

extension Framebuffer {
    /// What the pixel in column `x` of line `y` is; black outside the panel.
    func pixel(x: Int, y: Int) -> Ink {
        guard Rect.panel.contains(x: x, y: y) else { return .black }
        let byte = frame[FrameBits.offset(line: y) + x / 8]
        return byte & (0x80 >> UInt8(x % 8)) == 0 ? .black : .white
    }

    /// Whether the panel does not show `line` (0 to 167) as it is.
    func isDirty(line: Int) -> Bool { dirty.contains(line) }

    /// Makes the next flush send every line.
    mutating func markAllDirty() { dirty.insert(0..<PanelGeometry.height) }

    /// The number of lines that the next flush sends.
    var dirtyLineCount: Int { dirty.count }

    /// Makes every white pixel of `rect` black, and the other way round: a picture that no drawing leaves alone.
    mutating func invert(_ rect: Rect) {
        let area = rect.intersection(.panel)
        guard !area.isEmpty else { return }
        let invert = FrameBits.Change(kept: ~0, flipped: ~0)
        for line in area.top..<area.bottom where bits.apply(invert, line: line, from: area.left, to: area.right) {
            dirty.insert(line)
        }
    }
}

extension GlyphCoverage {
    /// The number of glyphs, the box among them.
    var glyphCount: Int { replacementIndex + 1 }
}
