/// The watch's case: rounded corners, the crown and the side button on the right, the strap above and below.
enum WatchCase {
    /// Draws the case and empties its inside.
    ///
    /// - Parameters:
    ///   - viewport: what of the display is shown, so that the edges can tell what is not.
    ///   - haptic: while a pattern plays, the case is drawn in another colour.
    static func draw(
        _ layout: DisplayLayout, viewport: Viewport, haptic: WatchStatus.Haptic, on canvas: inout TextCanvas
    ) {
        let style = edgeStyle(haptic)
        let rect = layout.caseRect
        canvas.fill(rect, style: TextStyle(BrailleRenderer.lit, on: BrailleRenderer.dark))
        drawEdges(rect, style: style, on: &canvas)
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

    private static func drawEdges(_ rect: CellRect, style: TextStyle, on canvas: inout TextCanvas) {
        let left = rect.columnRange.lowerBound
        let right = rect.columnRange.upperBound - 1
        let top = rect.rowRange.lowerBound
        let bottom = rect.rowRange.upperBound - 1
        for column in left...right {
            canvas.put("─", at: CellPoint(column: column, row: top), style: style)
            canvas.put("─", at: CellPoint(column: column, row: bottom), style: style)
        }
        for row in top...bottom {
            canvas.put("│", at: CellPoint(column: left, row: row), style: style)
            canvas.put("│", at: CellPoint(column: right, row: row), style: style)
        }
        canvas.put("╭", at: CellPoint(column: left, row: top), style: style)
        canvas.put("╮", at: CellPoint(column: right, row: top), style: style)
        canvas.put("╰", at: CellPoint(column: left, row: bottom), style: style)
        canvas.put("╯", at: CellPoint(column: right, row: bottom), style: style)
    }

    /// The strap runs from the case to the edge of the terminal, where there is room for it above and below.
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

    /// A heavy piece of the left or upper edge shows which part of the display is in view, where not all of it is.
    private static func drawScrollMarks(
        _ layout: DisplayLayout, viewport: Viewport, style: TextStyle, on canvas: inout TextCanvas
    ) {
        let hidden = viewport.hidden
        var mark = style
        mark.weight = .bold
        if hidden.above + hidden.below > 0 {
            let rows = thumb(viewport.visible.rowRange, of: viewport.content.rows, on: layout.window.rowRange)
            for row in rows {
                canvas.put("┃", at: CellPoint(column: layout.caseRect.origin.column, row: row), style: mark)
            }
        }
        if hidden.left + hidden.right > 0 {
            let columns = thumb(
                viewport.visible.columnRange, of: viewport.content.columns, on: layout.window.columnRange)
            for column in columns {
                canvas.put("━", at: CellPoint(column: column, row: layout.caseRect.rowRange.lowerBound), style: mark)
            }
        }
    }

    /// The part of `track` that stands for `visible` out of `total`.
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
        cap(rect, edgeTop: "╮", edgeBottom: "╯", style: style, on: &canvas)
        canvas.put("─", at: CellPoint(column: column, row: rect.rowRange.lowerBound), style: style)
        canvas.put("─", at: CellPoint(column: column, row: rect.rowRange.upperBound - 1), style: style)
    }

    private static func drawButton(_ rect: CellRect, style: TextStyle, on canvas: inout TextCanvas) {
        for row in rect.rowRange {
            canvas.put("│", at: CellPoint(column: rect.origin.column, row: row), style: style)
        }
        cap(rect, edgeTop: "╮", edgeBottom: "╯", style: style, on: &canvas)
    }

    /// Rounds the outer corners of what sticks out of the case and joins it to the case's edge.
    private static func cap(
        _ rect: CellRect, edgeTop: Character, edgeBottom: Character, style: TextStyle, on canvas: inout TextCanvas
    ) {
        let top = rect.rowRange.lowerBound
        let bottom = rect.rowRange.upperBound - 1
        let outer = rect.columnRange.upperBound - 1
        let joint = rect.columnRange.lowerBound - 1
        canvas.put(edgeTop, at: CellPoint(column: outer, row: top), style: style)
        canvas.put(edgeBottom, at: CellPoint(column: outer, row: bottom), style: style)
        canvas.put("├", at: CellPoint(column: joint, row: top), style: style)
        canvas.put("├", at: CellPoint(column: joint, row: bottom), style: style)
    }
}
