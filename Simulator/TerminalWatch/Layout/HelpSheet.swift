/// The sheets with the keys and their meanings.
enum HelpSheet {
    /// Draws the sheet of all keys over whatever is there.
    static func draw(on canvas: inout TextCanvas) {
        let last = [KeyMap.panRowsHint, KeyMap.panColumnsHint, KeyMap.Hint(keys: "Ctrl-Z", meaning: "suspend")]
        draw(KeyMap.hints + KeyMap.pairingHints + KeyMap.simulationHints + last, title: "Keys", on: &canvas)
    }

    /// Draws the sheet of the faults, or a note that this watch has none.
    static func draw(_ control: WatchStatus.Control, on canvas: inout TextCanvas) {
        switch control {
        case .none:
            draw([KeyMap.Hint(keys: "f", meaning: "only on the simulated watch")], title: "Faults", on: &canvas)
        case .some(_, let faults):
            let last = [KeyMap.Hint(keys: "f", meaning: "back to the watch")]
            draw(KeyMap.hints(faults) + last, title: "Faults", on: &canvas)
        }
    }

    /// Draws a sheet in a frame where there is room for one.
    private static func draw(_ hints: [KeyMap.Hint], title: String, on canvas: inout TextCanvas) {
        let block = PanelBlock.keys(hints)
        let columns = (block.lines.map(\.columns).max() ?? 0) + 4
        let rows = block.lines.count + 2
        let style = TextStyle(.brightWhite, on: .blue)
        guard canvas.size.columns >= columns, canvas.size.rows >= rows else {
            drawPlain(block, on: &canvas)
            return
        }
        let rect = CellRect(
            column: (canvas.size.columns - columns) / 2, row: (canvas.size.rows - rows) / 2, columns: columns,
            rows: rows)
        canvas.fill(rect, style: style)
        canvas.frame(rect, style: style)
        canvas.write(
            StyledText(" \(title) ", TextStyle(.brightWhite, on: .blue, weight: .bold)),
            at: CellPoint(column: rect.origin.column + 2, row: rect.origin.row))
        for (index, line) in block.lines.enumerated() {
            let point = CellPoint(column: rect.origin.column + 2, row: rect.origin.row + 1 + index)
            canvas.write(line.coloured(style), at: point, limit: columns - 4)
        }
    }

    /// The sheet in a terminal too small for a frame: its lines, as far as they fit.
    private static func drawPlain(_ block: PanelBlock, on canvas: inout TextCanvas) {
        canvas.fill(
            CellRect(column: 0, row: 0, columns: canvas.size.columns, rows: canvas.size.rows), style: .plain)
        // The last of the keys that work the watch is the one to leave by; in a few rows it comes first.
        let lines = block.lines.count > canvas.size.rows ? block.lines.reversedQuitFirst() : block.lines
        for (row, line) in lines.prefix(canvas.size.rows).enumerated() {
            canvas.write(line.compact(), at: CellPoint(column: 0, row: row), limit: canvas.size.columns)
        }
    }
}

extension StyledText {
    /// The line in the colours of `style`; the weights stay.
    fileprivate func coloured(_ style: TextStyle) -> StyledText {
        StyledText(
            parts.map {
                Part(text: $0.text, style: TextStyle(style.foreground, on: style.background, weight: $0.style.weight))
            })
    }

    /// The line with single spaces.
    fileprivate func compact() -> StyledText {
        let words = parts.flatMap { $0.text.split(separator: " ") }
        return StyledText(words.joined(separator: " "))
    }
}

extension [StyledText] {
    /// The lines with the one about quitting in front.
    fileprivate func reversedQuitFirst() -> [StyledText] {
        guard let quit = firstIndex(where: { $0.parts.first?.text.hasPrefix("q") == true }) else { return self }
        var lines = self
        lines.insert(lines.remove(at: quit), at: 0)
        return lines
    }
}
