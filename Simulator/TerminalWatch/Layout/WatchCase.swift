import Watch

/// Draws the case: rounded corners, the crown and the side button on the right, the strap above and below.
enum WatchCase {
    /// Draws the case with an empty inside. If only a part of the display is visible, thick marks on the edges show which part.
    /// While a haptic pattern plays, the edges have another colour.
    static func draw(
        _ layout: WatchLayout, viewport: Viewport, haptic: WatchStatus.Haptic, on canvas: inout TextCanvas
    ) {
        let style = edgeStyle(haptic)
        let rect = layout.caseRect
        canvas.fill(rect, style: TextStyle(BrailleRenderer.lit, on: BrailleRenderer.dark))
        canvas.frame(rect, style: style)
        drawStrap(rect, style: style, on: &canvas)
        drawScrollMarks(layout, viewport: viewport, style: style, on: &canvas)
        if let crown = layout.crown { drawCrown(crown, style: style, on: &canvas) }
        if let button = layout.sideButton { drawButton(button, style: style, on: &canvas) }
    }

    private static func edgeStyle(_ haptic: WatchStatus.Haptic) -> TextStyle {
        switch haptic {
        case .none, .quiet: .plain
        case .playing: TextStyle(.yellow, weight: .bold)
        }
    }

    private static func drawStrap(_ rect: CellRect, style: TextStyle, on canvas: inout TextCanvas) {
        let above = 0..<rect.rowRange.lowerBound
        let below = rect.rowRange.upperBound..<max(rect.rowRange.upperBound, canvas.size.rows)
        guard !above.isEmpty, !below.isEmpty else { return }
        let inset = rect.size.columns / 6
        for column in [rect.columnRange.lowerBound + inset, rect.columnRange.upperBound - 1 - inset] {
            for row in [above, below].joined() {
                canvas.put("│", at: CellPoint(column: column, row: row), style: style)
            }
            canvas.put("┴", at: CellPoint(column: column, row: rect.rowRange.lowerBound), style: style)
            canvas.put("┬", at: CellPoint(column: column, row: rect.rowRange.upperBound - 1), style: style)
        }
    }

    private static func drawScrollMarks(
        _ layout: WatchLayout, viewport: Viewport, style: TextStyle, on canvas: inout TextCanvas
    ) {
        var mark = style
        mark.weight = .bold
        if viewport.window.rows < viewport.content.rows {
            let rows = thumb(viewport.visible.rowRange, of: viewport.content.rows, on: layout.window.rowRange)
            for row in rows {
                canvas.put("┃", at: CellPoint(column: layout.caseRect.origin.column, row: row), style: mark)
            }
        }
        if viewport.window.columns < viewport.content.columns {
            let columns = thumb(
                viewport.visible.columnRange, of: viewport.content.columns, on: layout.window.columnRange)
            for column in columns {
                canvas.put("━", at: CellPoint(column: column, row: layout.caseRect.rowRange.lowerBound), style: mark)
            }
        }
    }

    private static func thumb(_ visible: Range<Int>, of total: Int, on track: Range<Int>) -> Range<Int> {
        let start = track.lowerBound + visible.lowerBound * track.count / total
        let length = max(1, visible.count * track.count / total)
        let end = visible.upperBound == total ? track.upperBound : min(track.upperBound, start + length)
        return min(start, end - 1)..<end
    }

    private static func drawCrown(_ rect: CellRect, style: TextStyle, on canvas: inout TextCanvas) {
        let column = rect.origin.column
        for row in rect.rowRange {
            canvas.put("≡", at: CellPoint(column: column, row: row), style: style)
            canvas.put("│", at: CellPoint(column: column + 1, row: row), style: style)
        }
        cap(rect, style: style, on: &canvas)
        canvas.put("─", at: CellPoint(column: column, row: rect.rowRange.lowerBound), style: style)
        canvas.put("─", at: CellPoint(column: column, row: rect.rowRange.upperBound - 1), style: style)
    }

    private static func drawButton(_ rect: CellRect, style: TextStyle, on canvas: inout TextCanvas) {
        for row in rect.rowRange {
            canvas.put("│", at: CellPoint(column: rect.origin.column, row: row), style: style)
        }
        cap(rect, style: style, on: &canvas)
    }

    private static func cap(_ rect: CellRect, style: TextStyle, on canvas: inout TextCanvas) {
        let top = rect.rowRange.lowerBound
        let bottom = rect.rowRange.upperBound - 1
        let outer = rect.columnRange.upperBound - 1
        let joint = rect.columnRange.lowerBound - 1
        canvas.put("╮", at: CellPoint(column: outer, row: top), style: style)
        canvas.put("╯", at: CellPoint(column: outer, row: bottom), style: style)
        canvas.put("├", at: CellPoint(column: joint, row: top), style: style)
        canvas.put("├", at: CellPoint(column: joint, row: bottom), style: style)
    }
}

/// Writes the watch's name on the case. If there is no side panel, also writes that panel's most important contents on the
/// edges.
enum CaseCaptions {
    static func draw(_ status: WatchStatus, layout: WatchLayout, on canvas: inout TextCanvas) {
        let rect = layout.caseRect
        let top = rect.rowRange.lowerBound
        let first = rect.columnRange.lowerBound + 2
        let room = rect.size.columns - 4
        let name = StyledText(" \(status.label.name) ", .bold)
        canvas.write(name, at: CellPoint(column: first, row: top), limit: room)
        guard case .onTheCase = layout.panel else { return }
        let link = StyledText(" ") + PanelBlock.linkLine(status.description.link) + StyledText(" ")
        let hasLink = name.columns + link.columns + 2 <= room
        if hasLink { canvas.write(link, at: CellPoint(column: first + room - link.columns, row: top)) }
        let parts = joined(setup(status, view: layout.picture.kind), columns: room - name.columns - link.columns - 3)
        let setup = StyledText("─") + parts
        if hasLink { canvas.write(setup, at: CellPoint(column: first + name.columns, row: top)) }
        let bottom = rect.rowRange.upperBound - 1
        canvas.write(
            joined(summary(status), columns: room - 8), at: CellPoint(column: first, row: bottom), limit: room)
        let help = StyledText(" ? help ", .plain)
        canvas.write(help, at: CellPoint(column: first + room - help.columns, row: bottom))
    }

    private static func setup(_ status: WatchStatus, view: ViewKind) -> [String] {
        [status.label.profile, status.label.handler, view.rawValue, status.simulation?.pace].compactMap(\.self)
    }

    static func summary(_ status: WatchStatus) -> [String] {
        var parts = [status.remark].compactMap(\.self) + status.recordingWords
        parts += (status.simulation?.words ?? []) + status.batteryWords
        parts.append("\(status.description.remaining) left")
        if status.description.more > 0 { parts.append("\(status.description.more) of them only on the phone") }
        // `parts` already says that the link is cut or the watch is paused.
        if status.absence == .noPhone { parts.append("start a phone: tapline phone serve") }
        if let update = status.lastTap?.tapToUpdate { parts.append("updated in \(update.milliseconds) ms") }
        if status.description.isSynchronized {
            parts.append("in sync")
        } else if status.description.waitingMessages > 0 {
            parts.append("\(status.description.waitingMessages) waiting")
        }
        return parts
    }

    private static func joined(_ parts: [String], columns: Int) -> StyledText {
        var text = ""
        for part in parts {
            let longer = text.isEmpty ? " \(part) " : text + "─ \(part) "
            guard TextPieces(longer).columns <= columns else { break }
            text = longer
        }
        return StyledText(text)
    }
}
