import DeviceModel

enum HelpSheet {
    static func draw(page: Int, on canvas: inout TextCanvas) {
        draw(KeyMap.all, title: "Keys", page: page, on: &canvas)
    }

    static func pages(_ size: CellSize) -> Int {
        switch Form(lines: PanelBlock.keys(KeyMap.all).lines, size: size) {
        case .framed: return 1
        case .plain(let linesPerPage):
            return (KeyMap.all.count + linesPerPage - 1) / linesPerPage
        }
    }

    private enum Form {
        case framed(columns: Int)
        /// One or more pages without a frame, because the terminal is too small to show all lines in a frame.
        case plain(linesPerPage: Int)

        static let gap = 3

        init(lines: [StyledText], size: CellSize) {
            let width = lines.map(\.columns).max() ?? 0
            for columns in 1...2 {
                let rows = (lines.count + columns - 1) / columns + 2
                if size.rows >= rows, size.columns >= columns * width + (columns - 1) * Form.gap + 4 {
                    self = .framed(columns: columns)
                    return
                }
            }
            // The last row tells the user that there are more pages.
            self = .plain(linesPerPage: lines.count <= size.rows ? max(1, lines.count) : max(1, size.rows - 1))
        }
    }

    static func draw(_ faults: WatchFaults?, on canvas: inout TextCanvas) {
        let last = KeyMap.Hint(
            keys: "f", meaning: faults == nil ? "only on the simulated watch" : "back to the watch")
        draw((faults.map(KeyMap.hints) ?? []) + [last], title: "Faults", on: &canvas)
    }

    private static func draw(_ hints: [KeyMap.Hint], title: String, page: Int = 0, on canvas: inout TextCanvas) {
        let lines = PanelBlock.keys(hints).lines
        switch Form(lines: lines, size: canvas.size) {
        case .framed(let columns): drawFramed(lines, in: columns, title: title, on: &canvas)
        case .plain(let linesPerPage): drawPlain(lines, page: page, linesPerPage: linesPerPage, on: &canvas)
        }
    }

    private static func drawFramed(
        _ lines: [StyledText], in columns: Int, title: String, on canvas: inout TextCanvas
    ) {
        let width = lines.map(\.columns).max() ?? 0
        let height = (lines.count + columns - 1) / columns
        let size = CellSize(columns: columns * width + (columns - 1) * Form.gap + 4, rows: height + 2)
        let style = TextStyle(.brightWhite, on: .blue)
        let rect = CellRect(
            column: (canvas.size.columns - size.columns) / 2, row: (canvas.size.rows - size.rows) / 2,
            columns: size.columns, rows: size.rows)
        canvas.fill(rect, style: style)
        canvas.frame(rect, style: style)
        canvas.write(
            StyledText(" \(title) ", TextStyle(.brightWhite, on: .blue, weight: .bold)),
            at: CellPoint(column: rect.origin.column + 2, row: rect.origin.row))
        for (index, line) in lines.enumerated() {
            let point = CellPoint(
                column: rect.origin.column + 2 + index / height * (width + Form.gap),
                row: rect.origin.row + 1 + index % height)
            canvas.write(line.coloured(style), at: point, limit: width)
        }
    }

    private static func drawPlain(_ lines: [StyledText], page: Int, linesPerPage: Int, on canvas: inout TextCanvas) {
        canvas.fill(
            CellRect(column: 0, row: 0, columns: canvas.size.columns, rows: canvas.size.rows), style: .plain)
        let pages = (lines.count + linesPerPage - 1) / linesPerPage
        for (row, line) in lines.dropFirst(page * linesPerPage).prefix(linesPerPage).enumerated() {
            canvas.write(line, at: CellPoint(column: 0, row: row), limit: canvas.size.columns)
        }
        guard page + 1 < pages, linesPerPage < canvas.size.rows else { return }
        canvas.write(
            StyledText("? more (\(page + 1) of \(pages))", .bold), at: CellPoint(column: 0, row: linesPerPage),
            limit: canvas.size.columns)
    }
}

extension StyledText {
    fileprivate func coloured(_ style: TextStyle) -> StyledText {
        StyledText(
            parts.map {
                Part(text: $0.text, style: TextStyle(style.foreground, on: style.background, weight: $0.style.weight))
            })
    }
}
