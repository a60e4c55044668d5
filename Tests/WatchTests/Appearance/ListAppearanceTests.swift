import Testing
import WatchLink

@testable import Watch

struct ListAppearanceTests {
    private static let samples: [(name: String, list: ListAppearance, rows: SampleRows)] = [
        ("list-empty", ListAppearance(remaining: 0), SampleRows([])),
        (
            "list-none-yet", ListAppearance("Tapline", remaining: 0, link: .down, placeholder: .noListYet),
            SampleRows([])
        ),
        ("list-one-row", ListAppearance(remaining: 1), .groceries(1)),
        ("list-full", ListAppearance(remaining: 6), .groceries(6)),
        ("list-more-below", ListAppearance(remaining: 11), .groceries(11)),
        (
            "list-scrolled",
            ListAppearance("Einkaufsliste für Samstag", remaining: 128, link: .connecting, first: 40), .groceries(128)
        ),
        ("list-scrolled-to-end", ListAppearance(remaining: 11, first: 5), .groceries(11)),
        (
            "list-more-on-phone", ListAppearance(remaining: 9_999, link: .down, first: 122, more: 9_871),
            .groceries(128)
        ),
        (
            "list-accented", ListAppearance("Épicerie", remaining: 6),
            SampleRows([
                "Žluťoučký kůň", "Łódź, świeży chleb", "Õllesai ĦħĢģ ĿŀŒœ", "Ångström & Æblé", "Ğözleme, ıspanak",
                "Ŵyau ŷd Ÿß ſ",
            ])
        ),
        (
            "list-cut-titles", ListAppearance("A list with a very long name indeed", remaining: 6),
            SampleRows([
                "Coffee beans (dark roast)", String(repeating: "very ", count: 20), String(repeating: "W", count: 48),
                String(repeating: "i", count: 49), "Fits to the pixel.", String(repeating: "ł", count: 5_000),
            ])
        ),
    ]

    @Test(arguments: 0..<samples.count)
    func `the list shows its rows, how far it is scrolled, accents, and an ellipsis for a long title`(
        sample: Int
    ) throws {
        let (name, list, rows) = ListAppearanceTests.samples[sample]
        try GoldenImage.expect(list.drawn(rows), name)
    }

    @Test func `characters that the font lacks are boxes`() throws {
        var rows = SampleRows(["Eggs 🥚🥚 dozen", "牛乳 milk", "חלב (milk)", "Family 👩‍👩‍👧‍👦 pack", "Tab\tbell\u{7}"])
        let illFormed = Canvas.title(bytes: [0x42, 0xFF, 0xC3, 0x20, 0xE2, 0x82, 0x41, 0xF0])
        rows.rows.append(ListItem(id: ItemID(1), rank: 0, title: illFormed))
        try GoldenImage.expect(ListAppearance("リスト", remaining: 6).drawn(rows), "list-replacement-glyphs")
    }

    @Test func `a struck row has a line through its title`() throws {
        var rows = SampleRows.groceries(11)
        rows.rows[1].shown = .struck
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
            rows.rows[index].shown = .struck
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
}

struct RemovedRowTests {
    /// A list that is drawn once. After that, `remove` changes only parts of the canvas. `isAsDrawn` compares the
    /// canvas with a new drawing of the whole list.
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

        /// Removes a row. Afterwards, `first` is the first visible row.
        mutating func remove(_ index: Int, first: Int) {
            rows.rows.remove(at: index)
            let previous = list.firstVisible
            list.firstVisible = first
            rows.withItemRows { list.closeGap(at: index, from: previous, $0, into: &canvas.framebuffer) }
            list.drawIndicator(rowCount: rows.rows.count, into: &canvas.framebuffer)
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
        // Above the removed row, only the scroll indicator changes: its thumb grows.
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

    @Test func `any removals, with any scrolling, look like a list that is drawn anew`() {
        var random = CanvasRandom()
        for _ in 0..<80 {
            var subject = Subject(.groceries(random.int(1...30)))
            while subject.rows.rows.count > 0 {
                let last = max(0, subject.rows.rows.count - 2)
                let near = min(last, max(0, subject.list.firstVisible + random.int(-2...2)))
                subject.list.more = UInt32(random.int(0...3))
                subject.remove(
                    random.int(0...subject.rows.rows.count - 1),
                    first: random.int(0...4) == 0 ? random.int(0...last) : near)
                subject.flush()
                #expect(subject.isAsDrawn, random.replay)
            }
        }
    }
}

struct EmptyListPlaceholderTests {
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

struct SampleRows {
    var rows: [ListItem]

    init(_ titles: [String]) {
        rows = titles.map { ListItem(id: ItemID(1), rank: 0, title: Canvas.title($0)) }
    }

    func withItemRows(_ body: (ItemRows) -> Void) {
        let slots = UnsafeMutablePointer<ListItem>.allocate(capacity: rows.count)
        let order = UnsafeMutablePointer<UInt8>.allocate(capacity: rows.count)
        defer {
            slots.deallocate()
            order.deallocate()
        }
        for (index, row) in rows.enumerated() {
            (slots + index).initialize(to: row)
            (order + index).initialize(to: UInt8(index))
        }
        body(
            ItemRows(
                slots: FixedArray(base: slots, count: rows.count), order: FixedArray(base: order, count: rows.count),
                rowCount: rows.count))
    }

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
        rows.withItemRows { draw($0, into: &canvas.framebuffer) }
        return canvas
    }
}
