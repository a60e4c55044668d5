import Testing

@testable import Watch

@Suite struct LineBreakerTests {
    private func lines(_ bytes: [UInt8], width: Int) -> [[UInt8]] {
        var breaker = LineBreaker(bytes.span, .row, width: width)
        var result: [[UInt8]] = []
        while let range = breaker.next() { result.append(Array(bytes[range])) }
        let isAtEnd = breaker.rest.isEmpty
        #expect(isAtEnd)
        return result
    }

    private func lines(_ text: String, width: Int) -> [String] {
        lines(Array(text.utf8), width: width).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func breaksAtBlanks() {
        #expect(
            lines("Coffee beans, dark roast, whole", width: 120)
                == ["Coffee beans,", "dark roast, whole"])
        #expect(lines("Oat milk", width: 120) == ["Oat milk"])
        #expect(lines("", width: 120).isEmpty)
    }

    @Test func breaksWordsThatAreTooWide() {
        let all = lines("Donaudampfschifffahrtsgesellschaft", width: 100)
        #expect(all.count == 3 && all.joined() == "Donaudampfschifffahrtsgesellschaft")
    }

    @Test func everyLineFitsAndNothingButBlanksIsLost() {
        var random = CanvasRandom()
        for _ in 0..<500 {
            let text = random.text(upTo: 48)
            let width = random.int(12...128)
            let all = lines(text, width: width)
            for line in all { #expect(Font.row.width(of: line.span) <= width, random.replay) }
            func visible(_ bytes: [UInt8]) -> [Int] {
                var reader = GlyphReader(bytes.span, .row)
                var glyphs: [Int] = []
                while let glyph = reader.next() { if glyph != 0 { glyphs.append(glyph) } }
                return glyphs
            }
            #expect(all.flatMap(visible) == visible(text), random.replay)
        }
    }

    @Test func aWidthBelowOneCharacterStillEnds() {
        #expect(lines("abc", width: 0) == ["a", "b", "c"])
    }
}
