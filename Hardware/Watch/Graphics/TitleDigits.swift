/// The digits of the title font, decoded once, for a number that changes with every tap: decoding a glyph takes longer than
/// drawing it.
///
/// A number is drawn in five cells, blank where it has fewer digits, so that it takes the same time for all numbers: a tap
/// on a long list takes no longer than one on a short list.
struct TitleDigits: BitwiseCopyable {
    /// For each of the digits and the blank its lines, bit 6 leftmost, then its advance.
    private let strips: FixedArray<UInt8>

    init(arena: inout MemoryArena) {
        strips = arena.take(TitleDigits.memorySize, of: 0)
        let tables = GlyphTables(.title)
        for digit in 0..<TitleDigits.blank { keep(digit, of: tables) }
    }

    static var memorySize: Int { (blank + 1) * stride }

    /// Lines of a digit, which end at the baseline.
    static var height: Int { 10 }

    private static var stride: Int { height + 1 }

    /// The index behind the last digit: no pixels and no advance.
    private static var blank: Int { 10 }

    private static var cells: Int { 5 }

    private func keep(_ digit: Int, of tables: GlyphTables) {
        let parts = tables.parts(of: 0x30 - 0x20 + digit)
        var room = InlineArray<44, UInt8>(repeating: 0)
        withUnsafeMutableBytes(of: &room) { bytes in
            guard let lines = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            _ = tables.decode(parts.body, into: lines)
            for line in 0..<TitleDigits.height {
                strips[digit * TitleDigits.stride + line] = lines[Font.title.ascent - TitleDigits.height + line]
            }
        }
        strips[digit * TitleDigits.stride + TitleDigits.height] = UInt8(truncatingIfNeeded: tables.advance(of: parts))
    }

    /// Draws a number below 100,000 whose last column is the one before `right`, like `Framebuffer.draw` with a text. All of
    /// it must lie on the panel. Marks no line as dirty.
    @inline(never)
    func draw(_ number: UInt32, endingAt right: Int, baseline: Int, ink: Ink, into framebuffer: inout Framebuffer) {
        // The column behind the gap that follows a digit.
        var end = right &+ 1
        var rest = number
        for cell in 0..<TitleDigits.cells {
            let isBlank = rest == 0 && cell > 0
            let index = isBlank ? TitleDigits.blank : Int(truncatingIfNeeded: rest % 10)
            let strip = strips.address(of: index &* TitleDigits.stride)
            end &-= Int(strip[TitleDigits.height])
            framebuffer.bits.blit(
                strip, lines: TitleDigits.height, mask: 0x7F, x: end, y: baseline &- TitleDigits.height,
                negative: ink == .white ? 0 : ~0)
            rest /= 10
        }
    }
}
