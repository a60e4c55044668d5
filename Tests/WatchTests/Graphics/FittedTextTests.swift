import TestSupport
import Testing
import WatchLink

@testable import Watch

struct FittedTextTests {
    private func fit(
        _ text: String, _ width: Int, _ completeness: ItemTitle.Completeness = .whole
    ) -> (shown: String, fitted: FittedText) {
        let bytes = Array(text.utf8)
        let fitted = Font.row.fit(bytes.span, in: width, completeness: completeness)
        return (String(decoding: bytes.prefix(fitted.byteCount), as: UTF8.self), fitted)
    }

    @Test func `text that fits, also exactly, is whole`() {
        let width = Font.row.width(of: Array("Wholemeal bread".utf8).span)
        #expect(fit("Wholemeal bread", 128).shown == "Wholemeal bread")
        #expect(fit("Wholemeal bread", width).fitted == FittedText(byteCount: 15, width: width, ending: .whole))
        #expect(fit("Wholemeal bread", width - 1).fitted.ending == .ellipsis)
    }

    @Test func `text that was cut before ends in an ellipsis`() {
        let (shown, fitted) = fit("Oat milk", 128, .cut)
        #expect(shown == "Oat milk" && fitted.ending == .ellipsis)
        #expect(fitted.width > Font.row.width(of: Array("Oat milk".utf8).span))
    }

    @Test func `no blank stands before the ellipsis`() {
        for width in 20...128 {
            let (shown, fitted) = fit("a b c d e f g h i j k l m n o p q r s", width)
            #expect(!shown.hasSuffix(" ") && fitted.ending == .ellipsis)
        }
    }

    @Test func `empty text takes no room`() {
        #expect(fit("", 10).fitted == FittedText(byteCount: 0, width: 0, ending: .whole))
        #expect(Font.title.width(of: [UInt8]().span) == 0)
    }

    @Test func `any text is no wider than asked, never cut within a scalar, and drawn as measured`() {
        var random = CanvasRandom()
        for _ in 0..<TestLevel.rounds(50, nightly: 500) {
            let text = random.text(upTo: 60)
            let width = random.int(10...138)
            let font = [Font.row, .title][random.int(0...1)]
            let fitted = font.fit(text.span, in: width, completeness: random.int(0...1) == 0 ? .whole : .cut)
            #expect(fitted.width <= width, random.replay)
            #expect(
                fitted.byteCount == text.count || text[fitted.byteCount] & 0xC0 != 0x80
                    || String(decoding: text, as: UTF8.self).unicodeScalars.contains("\u{FFFD}"), random.replay)
            let canvas = Canvas()
            canvas.framebuffer.draw(
                text.span.extracting(first: fitted.byteCount), font, at: Point(x: 2, y: 50), ending: fitted.ending)
            if let area = canvas.litArea {
                #expect(area.left >= 2 && area.right <= 2 + fitted.width, random.replay)
                if fitted.ending == .ellipsis { #expect(area.right == 2 + fitted.width, random.replay) }
            }
        }
    }
}

struct LineBreakerTests {
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

    @Test func `lines break at blanks`() {
        #expect(
            lines("Coffee beans, dark roast, whole", width: 120)
                == ["Coffee beans,", "dark roast, whole"])
        #expect(lines("Oat milk", width: 120) == ["Oat milk"])
        #expect(lines("", width: 120).isEmpty)
    }

    @Test func `a word that is too wide is broken`() {
        let all = lines("Donaudampfschifffahrtsgesellschaft", width: 100)
        #expect(all.count == 3 && all.joined() == "Donaudampfschifffahrtsgesellschaft")
    }

    @Test func `every line fits and nothing but blanks is lost`() {
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

    @Test func `a width below one character still ends`() {
        #expect(lines("abc", width: 0) == ["a", "b", "c"])
    }
}

struct UTF8ScalarsTests {
    private func scalars(_ bytes: [UInt8]) -> [UInt32] {
        var reader = UTF8Scalars(bytes.span)
        var result: [UInt32] = []
        while let scalar = reader.next() { result.append(scalar) }
        let offset = reader.offset
        #expect(offset == bytes.count)
        return result
    }

    @Test(
        arguments: [
            ([0x80], 1), ([0xC0, 0x80], 2), ([0xE0, 0x80, 0x80], 3), ([0xED, 0xA0, 0x80], 3),
            ([0xF4, 0x90, 0x80, 0x80], 4),
            ([0xE2, 0x82], 1), ([0xF0, 0x9F, 0x98], 1), ([0xFF], 1), ([0xC3], 1), ([0xF5, 0x80], 2),
        ] as [([UInt8], Int)])
    func `each ill formed part is one replacement`(bytes: [UInt8], count: Int) {
        #expect(scalars(bytes) == Array(repeating: 0xFFFD, count: count))
        #expect(scalars(bytes + [0x41]) == Array(repeating: 0xFFFD, count: count) + [0x41])
    }

    @Test func `any bytes are read as String reads them`() {
        var random = CanvasRandom()
        for _ in 0..<3_000 {
            let bytes =
                random.int(0...1) == 0
                ? random.text(upTo: 20) : (0..<random.int(0...12)).map { _ in UInt8(random.int(0x7F...0xFF)) }
            let expected = String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
            #expect(scalars(bytes) == expected, random.replay)
        }
    }
}
