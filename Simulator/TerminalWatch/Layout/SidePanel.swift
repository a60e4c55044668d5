/// The panel beside the watch: the simulation, the phone, the list, the last tap, the haptic driver and the keys.
enum SidePanel {
    /// Draws the panel beside the watch: its blocks one below the other, the last ones left out where there is no room.
    static func drawBeside(_ status: WatchStatus, hints: [KeyMap.Hint], in rect: CellRect, on canvas: inout TextCanvas)
    {
        let columns = rect.size.columns
        var blocks = [PanelBlock.simulation(status.control)].compactMap { $0 }
        blocks += [
            .phone(status, columns: columns), .list(status), .lastTap(status.lastTap, columns: columns),
            .haptic(status.haptic), .keys(hints),
        ]
        // The keys are the first to go: `?` shows them.
        while blocks.count > 1 && height(of: blocks, gap: 0) > rect.size.rows { blocks.removeLast() }
        let gap = height(of: blocks, gap: 1) <= rect.size.rows ? 1 : 0
        var row = rect.origin.row
        for block in blocks {
            draw(block, at: CellPoint(column: rect.origin.column, row: row), columns: columns, on: &canvas)
            row += block.rows + gap
        }
    }

    /// Draws the panel under the watch: its blocks in three columns.
    static func drawBelow(_ status: WatchStatus, hints: [KeyMap.Hint], in rect: CellRect, on canvas: inout TextCanvas) {
        let gap = 3
        let columns = (rect.size.columns - 2 * gap) / 3
        let stacks: [[PanelBlock]] = [
            [PanelBlock.simulation(status.control)].compactMap { $0 } + [
                .phone(status, columns: columns), .list(status), .haptic(status.haptic),
            ],
            [.lastTap(status.lastTap, columns: columns)], [.keys(hints)],
        ]
        for (index, stack) in stacks.enumerated() {
            var row = rect.origin.row
            for block in stack {
                var shown = block
                let room = rect.rowRange.upperBound - row
                guard room >= 2 else { break }
                shown.lines = Array(block.lines.prefix(room - 1))
                draw(
                    shown, at: CellPoint(column: rect.origin.column + index * (columns + gap), row: row),
                    columns: columns, on: &canvas)
                row += shown.rows
            }
        }
    }

    private static func height(of blocks: [PanelBlock], gap: Int) -> Int {
        blocks.reduce(0) { $0 + $1.rows } + gap * (blocks.count - 1)
    }

    private static func draw(_ block: PanelBlock, at point: CellPoint, columns: Int, on canvas: inout TextCanvas) {
        let heading = canvas.write(block.heading + " ", at: point, style: .bold, limit: columns)
        canvas.fill(
            CellRect(column: point.column + heading, row: point.row, columns: columns - heading, rows: 1),
            with: "─", style: .decoration)
        for (index, line) in block.lines.enumerated() {
            canvas.write(line, at: CellPoint(column: point.column, row: point.row + 1 + index), limit: columns)
        }
    }
}
