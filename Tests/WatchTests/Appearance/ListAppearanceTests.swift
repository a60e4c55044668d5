import Testing
import WatchLink

@testable import Watch

struct ListAppearanceTests {
    @Test func `an empty list shows that all is done`() throws {
        try GoldenImage.expect(ListAppearance(remaining: 0).drawn(SampleRows([])), "list-empty")
    }

    @Test func `a list can have one row`() throws {
        try GoldenImage.expect(ListAppearance(remaining: 1).drawn(.groceries(1)), "list-one-row")
    }

    @Test func `as many rows as fit have no scroll indicator`() throws {
        let canvas = ListAppearance(remaining: 6).drawn(.groceries(6))
        try GoldenImage.expect(canvas, "list-full")
        #expect((24..<168).allSatisfy { y in (136..<144).allSatisfy { !canvas.isLit($0, y) } })
    }

    @Test func `more rows than fit have a scroll indicator`() throws {
        try GoldenImage.expect(ListAppearance(remaining: 11).drawn(.groceries(11)), "list-more-below")
    }

    @Test func `a list that is scrolled to its middle has an arrow at either end`() throws {
        let list = ListAppearance(
            "Einkaufsliste für Samstag", remaining: 128, link: .connecting, first: 40)
        try GoldenImage.expect(list.drawn(.groceries(128)), "list-scrolled")
    }

    @Test func `a list that is scrolled to its end has an arrow at the top`() throws {
        try GoldenImage.expect(ListAppearance(remaining: 11, first: 5).drawn(.groceries(11)), "list-scrolled-to-end")
    }

    @Test func `items beyond the watch count in the scroll indicator`() throws {
        let list = ListAppearance(remaining: 9_999, link: .down, first: 122, more: 9_871)
        try GoldenImage.expect(list.drawn(.groceries(128)), "list-more-on-phone")
    }

    @Test func `letters with accents are drawn`() throws {
        let rows = SampleRows([
            "Žluťoučký kůň", "Łódź, świeży chleb", "Õllesai ĦħĢģ ĿŀŒœ", "Ångström & Æblé", "Ğözleme, ıspanak",
            "Ŵyau ŷd Ÿß ſ",
        ])
        try GoldenImage.expect(ListAppearance("Épicerie", remaining: 6).drawn(rows), "list-accented")
    }

    @Test func `characters that the font lacks are boxes`() throws {
        var rows = SampleRows(["Eggs 🥚🥚 dozen", "牛乳 milk", "חלב (milk)", "Family 👩‍👩‍👧‍👦 pack", "Tab\tbell\u{7}"])
        rows.rows.append(
            ListRow(title: Canvas.title(bytes: [0x42, 0xFF, 0xC3, 0x20, 0xE2, 0x82, 0x41, 0xF0]), state: .waiting))
        try GoldenImage.expect(ListAppearance("リスト", remaining: 6).drawn(rows), "list-replacement-glyphs")
    }

    @Test func `titles that are too long end in an ellipsis`() throws {
        let rows = SampleRows([
            "Coffee beans (dark roast)", String(repeating: "very ", count: 20), String(repeating: "W", count: 48),
            String(repeating: "i", count: 49), "Fits to the pixel.", String(repeating: "ł", count: 5_000),
        ])
        let list = ListAppearance("A list with a very long name indeed", remaining: 6)
        try GoldenImage.expect(list.drawn(rows), "list-cut-titles")
    }

    @Test func `a struck row has a line through its title`() throws {
        var rows = SampleRows.groceries(11)
        rows.rows[1].state = .struck
        try GoldenImage.expect(ListAppearance(remaining: 10).drawn(rows), "list-struck")
    }

    @Test func `striking changes two lines and looks like a row drawn struck`() {
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

    @Test func `striking a row that is not visible changes nothing`() {
        let rows = SampleRows.groceries(11)
        let list = ListAppearance(remaining: 11, first: 2)
        let canvas = list.drawn(rows)
        canvas.flush()
        for index in [0, 1, 8, 10, 11, -1] {
            ListAppearance.strikeRow(at: index, firstVisible: list.firstVisible, width: 40, into: &canvas.framebuffer)
        }
        #expect(canvas.dirtyLines.isEmpty)
    }

    @Test func `drawing a row again changes nothing`() {
        let rows = SampleRows.groceries(4)
        let list = ListAppearance(remaining: 4)
        let canvas = list.drawn(rows)
        let before = canvas.bytes
        for position in 0..<6 { list.drawRow(at: position, rows, into: &canvas.framebuffer) }
        #expect(canvas.bytes == before)
    }
}

struct RemovedRowTests {
    /// A list on a canvas that is only updated, beside one that is drawn anew.
    private struct Subject {
        var list = ListAppearance(remaining: 0)
        var rows: SampleRows
        let canvas: Canvas
        var panel = RecordingPanel()

        init(_ rows: SampleRows) {
            self.rows = rows
            canvas = list.drawn(rows)
            show()
        }

        mutating func show() {
            canvas.framebuffer.markAllDirty()
            canvas.framebuffer.flush(to: &panel)
        }

        /// Removes a row; the list then begins with row `first`.
        mutating func remove(_ index: Int, first: Int) {
            rows.rows.remove(at: index)
            let previous = list.firstVisible
            list.firstVisible = first
            list.closeGap(at: index, from: previous, rows, into: &canvas.framebuffer)
            list.drawIndicator(rowCount: rows.rowCount, into: &canvas.framebuffer)
        }

        mutating func flush() {
            canvas.framebuffer.flush(to: &panel)
        }

        var isAsDrawn: Bool {
            canvas.bytes == list.drawn(rows).bytes && panel.bytes == canvas.bytes
        }
    }

    @Test(arguments: 0..<6) func `the rows below a removed one move up, and no text above it is sent`(index: Int) {
        var subject = Subject(.groceries(11))
        subject.remove(index, first: 0)
        // Above it only the scroll indicator changes, whose thumb grows.
        let text = subject.canvas.dirtyLines.filter { $0 < RowGeometry.rowTop(index) }
        #expect(text.count <= 40)
        subject.flush()
        #expect(subject.isAsDrawn)
    }

    @Test func `in a list without a scroll indicator no line above a removed row is sent`() {
        var subject = Subject(.groceries(5))
        subject.remove(2, first: 0)
        #expect(subject.canvas.dirtyLines.allSatisfy { $0 >= RowGeometry.rowTop(2) })
        subject.flush()
        #expect(subject.isAsDrawn)
    }

    @Test func `the last item gives way to the placeholder`() {
        var subject = Subject(.groceries(1))
        subject.remove(0, first: 0)
        subject.flush()
        #expect(subject.isAsDrawn)
    }

    @Test func `any removals, with any scrolling, look like a list that is drawn anew`() {
        var random = CanvasRandom()
        for _ in 0..<80 {
            var subject = Subject(.groceries(random.int(1...30)))
            while subject.rows.rowCount > 0 {
                let last = max(0, subject.rows.rowCount - 2)
                let near = min(last, max(0, subject.list.firstVisible + random.int(-2...2)))
                subject.list.more = UInt32(random.int(0...3))
                subject.remove(
                    random.int(0...subject.rows.rowCount - 1),
                    first: random.int(0...4) == 0 ? random.int(0...last) : near)
                subject.flush()
                #expect(subject.isAsDrawn, random.replay)
            }
        }
    }
}

struct EmptyListPlaceholderTests {
    @Test func `a watch without a list says so`() throws {
        let list = ListAppearance("Tapline", remaining: 0, link: .down, placeholder: .noListYet)
        try GoldenImage.expect(list.drawn(SampleRows([])), "list-none-yet")
    }

    @Test(arguments: [EmptyListPlaceholder.allDone, .noListYet, .noPast])
    func `a placeholder covers the rows and leaves the title bar`(placeholder: EmptyListPlaceholder) {
        let canvas = Canvas()
        canvas.framebuffer.fill(.panel)
        canvas.flush()
        placeholder.draw(into: &canvas.framebuffer)
        #expect((0..<24).allSatisfy { !canvas.isDirty($0) })
        let alone = Canvas()
        placeholder.draw(into: &alone.framebuffer)
        #expect(canvas.bytes.dropFirst(24 * 18) == alone.bytes.dropFirst(24 * 18))
    }
}

struct SampleRows: ListRows {
    var rows: [ListRow]

    init(_ titles: [String]) {
        rows = titles.map { ListRow(title: Canvas.title($0), state: .waiting) }
    }

    var rowCount: Int { rows.count }

    func row(at index: Int) -> ListRow { rows[index] }

    static func groceries(_ count: Int) -> SampleRows {
        let titles = [
            "Oat milk", "Wholemeal bread", "Jalapeño peppers", "Żółty ser, 200 g", "Free-range eggs", "Bananas",
            "Kid’s yoghurt", "Čaj zelený", "Crème fraîche", "Coffee beans (dark roast)", "Soap",
        ]
        return SampleRows((0..<count).map { titles[$0 % titles.count] })
    }
}

extension ListAppearance {
    init(
        _ name: String = "Groceries", remaining: UInt32, link: LinkIndicator = .reachable, first: Int = 0,
        more: UInt32 = 0, placeholder: EmptyListPlaceholder = .allDone
    ) {
        self.init(
            titleBar: TitleBar(title: Canvas.title(name), remaining: remaining, link: link), firstVisible: first,
            more: more, placeholder: placeholder)
    }

    func drawn(_ rows: SampleRows) -> Canvas {
        let canvas = Canvas()
        draw(rows, into: &canvas.framebuffer)
        return canvas
    }
}
