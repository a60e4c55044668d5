import SeededNumbers
import Testing
import WatchLink

@testable import Watch

@Suite struct FittedTextTests {
    private func fit(
        _ text: String, _ width: Int, _ completeness: ItemTitle.Completeness = .whole
    ) -> (shown: String, fitted: FittedText) {
        let bytes = Array(text.utf8)
        let fitted = Font.row.fit(bytes.span, in: width, completeness: completeness)
        return (String(decoding: bytes.prefix(fitted.byteCount), as: UTF8.self), fitted)
    }

    @Test func textThatFitsIsWhole() {
        let (shown, fitted) = fit("Oat milk", 128)
        #expect(shown == "Oat milk" && fitted.ending == .whole)
        #expect(fitted.width == Font.row.width(of: Array("Oat milk".utf8).span))
    }

    @Test func textThatFitsExactlyIsWhole() {
        let width = Font.row.width(of: Array("Wholemeal bread".utf8).span)
        #expect(fit("Wholemeal bread", width).fitted.ending == .whole)
        #expect(fit("Wholemeal bread", width - 1).fitted.ending == .ellipsis)
    }

    @Test func textThatWasCutBeforeEndsInAnEllipsis() {
        let (shown, fitted) = fit("Oat milk", 128, .cut)
        #expect(shown == "Oat milk" && fitted.ending == .ellipsis)
        #expect(fitted.width > Font.row.width(of: Array("Oat milk".utf8).span))
    }

    @Test func noBlankStandsBeforeTheEllipsis() {
        for width in 20...128 {
            let (shown, fitted) = fit("a b c d e f g h i j k l m n o p q r s", width)
            #expect(!shown.hasSuffix(" ") && fitted.ending == .ellipsis)
        }
    }

    @Test func emptyTextTakesNoRoom() {
        #expect(fit("", 10).fitted == FittedText(byteCount: 0, width: 0, ending: .whole))
        #expect(Font.title.width(of: [UInt8]().span) == 0)
    }

    @Test func neverWiderThanAskedNorCutWithinAScalarAndDrawnAsMeasured() {
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
