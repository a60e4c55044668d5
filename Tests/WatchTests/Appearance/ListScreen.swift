import WatchLink

@testable import Watch

/// Rows for a list screen.
struct SampleRows: ListRows {
    var rows: [ListRow]

    /// Waiting rows with these titles.
    init(_ titles: [String]) {
        rows = titles.map { ListRow(title: Canvas.title($0), state: .waiting) }
    }

    var rowCount: Int { rows.count }

    func row(at index: Int) -> ListRow { rows[index] }

    /// A shopping list of `count` items.
    static func groceries(_ count: Int) -> SampleRows {
        let titles = [
            "Oat milk", "Wholemeal bread", "Jalapeño peppers", "Żółty ser, 200 g", "Free-range eggs", "Bananas",
            "Kid’s yoghurt", "Čaj zelený", "Crème fraîche", "Coffee beans (dark roast)", "Soap",
        ]
        return SampleRows((0..<count).map { titles[$0 % titles.count] })
    }
}

extension ListAppearance {
    /// A list named `name`.
    init(
        _ name: String = "Groceries", remaining: UInt32, link: LinkIndicator = .reachable, first: Int = 0,
        more: UInt32 = 0, placeholder: EmptyListPlaceholder = .allDone
    ) {
        self.init(
            titleBar: TitleBar(title: Canvas.title(name), remaining: remaining, link: link), firstVisible: first,
            more: more, placeholder: placeholder)
    }

    /// The whole screen on a canvas of its own.
    func drawn(_ rows: SampleRows) -> Canvas {
        let canvas = Canvas()
        draw(rows, into: &canvas.framebuffer)
        return canvas
    }
}
