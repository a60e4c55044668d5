import SeededNumbers
import Testing
import WatchLink

@testable import Watch

@Suite struct SheetAppearanceTests {
    private func drawn(_ sheet: SheetAppearance) -> Canvas {
        let canvas = Canvas()
        canvas.framebuffer.invert(Rect(x: 10, y: 10, width: 100, height: 100))
        sheet.draw(into: &canvas.framebuffer)
        return canvas
    }

    @Test func statusOfEveryLinkState() throws {
        try GoldenImage.expect(drawn(.status(link: .reachable, waiting: 0)), "sheet-status-reachable")
        try GoldenImage.expect(drawn(.status(link: .connecting, waiting: 3)), "sheet-status-connecting")
        try GoldenImage.expect(drawn(.status(link: .down, waiting: 128)), "sheet-status-down")
    }

    @Test func everyNoticeFitsUnderTheStatus() throws {
        var notice = WatchNotice.none
        while let next = WatchNotice(rawValue: notice.rawValue + 1) {
            notice = next
            let canvas = drawn(.status(link: .reachable, waiting: 128, notice: notice))
            #expect(canvas.litArea.map { $0.left >= 0 && $0.right <= 144 && $0.bottom <= 168 } == true)
            let (first, second) = try #require(notice.lines)
            for line in [first, second] { #expect(Font.row.width(of: line.utf8) <= 140, "\(line)") }
        }
        try GoldenImage.expect(
            drawn(.status(link: .reachable, waiting: 1, notice: .notStored)), "sheet-status-notice")
    }

    @Test func titlesOfEveryLength() throws {
        try GoldenImage.expect(drawn(.fullTitle(Canvas.title("Oat milk"))), "sheet-title-short")
        try GoldenImage.expect(
            drawn(.fullTitle(Canvas.title("Coffee beans, dark roast, 250 g, Žižkov"))), "sheet-title-wrapped")
        try GoldenImage.expect(
            drawn(.fullTitle(Canvas.title("Donaudampfschifffahrtsgesellschaft and much, much more"))), "sheet-title-cut"
        )
        try GoldenImage.expect(drawn(.fullTitle(ItemTitle())), "sheet-title-empty")
    }

    @Test func digitsOfAPairing() throws {
        try GoldenImage.expect(drawn(.pairing(digits: 123_456)), "sheet-pairing")
        try GoldenImage.expect(drawn(.pairing(digits: 7)), "sheet-pairing-zeros")
    }

    @Test func anyTitleStaysOnItsCard() {
        var random = CanvasRandom()
        for _ in 0..<TestLevel.rounds(40, nightly: 200) {
            let canvas = drawn(.fullTitle(Canvas.title(bytes: random.text(upTo: 60))))
            #expect(canvas.litArea.map { $0.left >= 4 && $0.right <= 140 && $0.top >= 4 && $0.bottom <= 164 } == true)
        }
    }
}
