import Watch

/// What is written into the edges of the case: the name, and where there is no panel the most important of its contents.
enum CaseCaptions {
    /// Writes the captions.
    static func draw(_ status: WatchStatus, layout: DisplayLayout, on canvas: inout TextCanvas) {
        let rect = layout.caseRect
        let top = rect.rowRange.lowerBound
        let first = rect.columnRange.lowerBound + 2
        let room = rect.size.columns - 4
        let name = StyledText(" \(status.name) ", .bold)
        canvas.write(name, at: CellPoint(column: first, row: top), limit: room)
        switch layout.panel {
        case .beside, .below: return
        case .onTheCase: break
        }
        let link = StyledText(" ") + PanelBlock.linkLine(status.link) + StyledText(" ")
        if name.columns + link.columns + 2 <= room {
            canvas.write(link, at: CellPoint(column: first + room - link.columns, row: top))
        }
        let bottom = rect.rowRange.upperBound - 1
        canvas.write(
            joined(summary(status), columns: room - 10), at: CellPoint(column: first, row: bottom), limit: room)
        let help = StyledText(" ? help ", .plain)
        canvas.write(help, at: CellPoint(column: first + room - help.columns, row: bottom))
    }

    /// The panel's most important contents, the most important one first.
    static func summary(_ status: WatchStatus) -> [String] {
        var parts = status.control.words + ["\(status.remaining) left"]
        if let update = status.lastTap?.tapToUpdate { parts.append("updated in \(update.milliseconds) ms") }
        switch status.synchronization {
        case .synchronized: parts.append("in sync")
        case .pending: if status.waiting > 0 { parts.append("\(status.waiting) waiting") }
        }
        return parts
    }

    /// As many of the parts as fit.
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
