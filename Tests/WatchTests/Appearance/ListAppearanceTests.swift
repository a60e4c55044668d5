import Testing
import WatchLink

@testable import Watch

@Suite struct ListAppearanceTests {
    @Test func emptyList() throws {
        try GoldenImage.expect(ListAppearance(remaining: 0).drawn(SampleRows([])), "list-empty")
    }

    @Test func oneRow() throws {
        try GoldenImage.expect(ListAppearance(remaining: 1).drawn(.groceries(1)), "list-one-row")
    }

    @Test func asManyRowsAsFitHaveNoScrollIndicator() throws {
        let canvas = ListAppearance(remaining: 6).drawn(.groceries(6))
        try GoldenImage.expect(canvas, "list-full")
        #expect((24..<168).allSatisfy { y in (136..<144).allSatisfy { !canvas.isLit($0, y) } })
    }

    @Test func moreRowsThanFit() throws {
        try GoldenImage.expect(ListAppearance(remaining: 11).drawn(.groceries(11)), "list-more-below")
    }

    @Test func scrolledToTheMiddle() throws {
        let list = ListAppearance(
            "Einkaufsliste für Samstag", remaining: 128, link: .connecting, first: 40)
        try GoldenImage.expect(list.drawn(.groceries(128)), "list-scrolled")
    }

    @Test func scrolledToTheEnd() throws {
        try GoldenImage.expect(ListAppearance(remaining: 11, first: 5).drawn(.groceries(11)), "list-scrolled-to-end")
    }

    @Test func moreItemsThanTheWatchWasGiven() throws {
        let list = ListAppearance(remaining: 9_999, link: .down, first: 122, more: 9_871)
        try GoldenImage.expect(list.drawn(.groceries(128)), "list-more-on-phone")
    }

    @Test func accentedTitles() throws {
        let rows = SampleRows([
            "Žluťoučký kůň", "Łódź, świeży chleb", "Õllesai ĦħĢģ ĿŀŒœ", "Ångström & Æblé", "Ğözleme, ıspanak",
            "Ŵyau ŷd Ÿß ſ",
        ])
        try GoldenImage.expect(ListAppearance("Épicerie", remaining: 6).drawn(rows), "list-accented")
    }

    @Test func titlesOfCharactersThatTheFontLacks() throws {
        var rows = SampleRows(["Eggs 🥚🥚 dozen", "牛乳 milk", "חלב (milk)", "Family 👩‍👩‍👧‍👦 pack", "Tab\tbell\u{7}"])
        rows.rows.append(
            ListRow(title: Canvas.title(bytes: [0x42, 0xFF, 0xC3, 0x20, 0xE2, 0x82, 0x41, 0xF0]), state: .waiting))
        try GoldenImage.expect(ListAppearance("リスト", remaining: 6).drawn(rows), "list-replacement-glyphs")
    }

    @Test func cutTitles() throws {
        let rows = SampleRows([
            "Coffee beans (dark roast)", String(repeating: "very ", count: 20), String(repeating: "W", count: 48),
            String(repeating: "i", count: 49), "Fits to the pixel.", String(repeating: "ł", count: 5_000),
        ])
        let list = ListAppearance("A list with a very long name indeed", remaining: 6)
        try GoldenImage.expect(list.drawn(rows), "list-cut-titles")
    }

    @Test func struckRow() throws {
        var rows = SampleRows.groceries(11)
        rows.rows[1].state = .struck
        try GoldenImage.expect(ListAppearance(remaining: 10).drawn(rows), "list-struck")
    }

    @Test func strikingChangesTwoLinesAndLooksLikeARowDrawnStruck() {
        for index in 0..<6 {
            var rows = SampleRows.groceries(11)
            let list = ListAppearance(remaining: 11)
            let canvas = list.drawn(rows)
            canvas.flush()
            let width = RowRegion.titleWidth(rows.rows[index].title)
            ListAppearance.strikeRow(
                at: index, firstVisible: list.firstVisible, width: width, into: &canvas.framebuffer)
            #expect(canvas.dirtyLines.count == 2)
            #expect(canvas.dirtyLines.allSatisfy { RowGeometry.row(atY: $0) == index })
            rows.rows[index].state = .struck
            #expect(canvas.bytes == list.drawn(rows).bytes)
        }
    }

    @Test func strikingARowThatIsNotVisibleChangesNothing() {
        let rows = SampleRows.groceries(11)
        let list = ListAppearance(remaining: 11, first: 2)
        let canvas = list.drawn(rows)
        canvas.flush()
        for index in [0, 1, 8, 10, 11, -1] {
            ListAppearance.strikeRow(at: index, firstVisible: list.firstVisible, width: 40, into: &canvas.framebuffer)
        }
        #expect(canvas.dirtyLines.isEmpty)
    }

    @Test func drawingARowAgainChangesNothing() {
        let rows = SampleRows.groceries(4)
        let list = ListAppearance(remaining: 4)
        let canvas = list.drawn(rows)
        let before = canvas.bytes
        for position in 0..<6 { list.drawRow(at: position, rows, into: &canvas.framebuffer) }
        #expect(canvas.bytes == before)
    }
}
