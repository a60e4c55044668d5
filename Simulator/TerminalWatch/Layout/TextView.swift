import DeviceModel
import Watch

/// The watch as text for a small terminal: a heading, and the rows on the watch's panel, each on a line that can be
/// clicked.
enum TextView {
    /// What a row of the terminal shows.
    enum Line: Equatable {
        case text(StyledText)
        /// Position 0 is below the title bar.
        case row(position: Int, ScreenDescription.Row)
        /// Opens the list.
        case complication(String)
    }

    static func lines(_ description: ScreenDescription, status: WatchStatus, size: CellSize) -> [Line] {
        let body: [Line] =
            switch description.screen {
            case .face: face(description)
            case .list: list(description, size: size)
            case .status: [.text(StyledText("Phone", .bold))]
            case .fullTitle: text(description.fullTitle, columns: size.columns)
            case .pairing:
                [
                    .text(StyledText("Same digits?", .bold)), .text(StyledText(description.pairingDigits ?? "")),
                    .text(StyledText("y yes, s no")),
                ]
            case .sheet: sheet(description.sheet, columns: size.columns)
            case .past: past(description)
            }
        let footer = Line.text(footer(status, columns: size.columns))
        switch description.screen {
        case .status:
            let more = CaseCaptions.summary(status).map { Line.text(StyledText($0)) }
            return Array((body + [footer] + more).prefix(size.rows))
        case .face, .list, .fullTitle, .pairing, .sheet, .past:
            guard size.rows > 2 else { return Array(body.prefix(size.rows)) }
            return Array(body.prefix(size.rows - 1)) + [footer]
        }
    }

    private static func sheet(_ sheet: ScreenDescription.Sheet?, columns: Int) -> [Line] {
        guard let sheet else { return [] }
        let buttons = sheet.buttons.map { "[\($0)]" }.joined(separator: " ")
        return [.text(StyledText(sheet.title, .bold))] + text(sheet.text, columns: columns)
            + text(buttons, columns: columns)
    }

    private static func face(_ description: ScreenDescription) -> [Line] {
        let time = Line.text(StyledText(description.time.isEmpty ? "--:--" : description.shownTime, .bold))
        return switch description.wrist {
        case .worn:
            [
                time, .complication("\(description.shownRemaining) left"),
                .complication(description.shownComplication.text),
            ]
        case .removed: [time, .text(StyledText("Off the wrist"))]
        }
    }

    private static func list(_ description: ScreenDescription, size: CellSize) -> [Line] {
        let count = "\(description.remaining)"
        let room = max(1, size.columns - count.count - 1)
        let title = TextPieces(description.title).fitted(to: room).map { String($0.text) }.joined()
        let heading = Line.text(StyledText(title.padded(to: room) + " " + count, .bold))
        guard !description.rows.isEmpty else { return [heading, .text(StyledText("all done"))] }
        return [heading] + rows(description)
    }

    private static func past(_ description: ScreenDescription) -> [Line] {
        let heading = Line.text(StyledText("Add again", .bold))
        guard !description.rows.isEmpty else { return [heading, .text(StyledText("no past items"))] }
        return [heading] + rows(description)
    }

    private static func rows(_ description: ScreenDescription) -> [Line] {
        (0..<RowGeometry.rowsVisible).compactMap { position in
            description.row(at: position).map { Line.row(position: position, $0) }
        }
    }

    private static func text(_ text: String, columns: Int) -> [Line] {
        wrapped(text, columns: columns).map { .text(StyledText($0)) }
    }

    /// Breaks at spaces if possible.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if TextPieces(longer).columns <= columns {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            // A word that is longer than a line is cut.
            for piece in TextPieces(word).pieces {
                if TextPieces(line).columns + piece.columns > columns {
                    lines.append(line)
                    line = ""
                }
                line.append(piece.text)
            }
        }
        return lines + [line]
    }

    /// The link's sign, and as much of its state and the help as fits.
    private static func footer(_ status: WatchStatus, columns: Int) -> StyledText {
        if let unusual = status.control.words.first { return StyledText(unusual, TextStyle(.yellow, weight: .bold)) }
        let link = PanelBlock.linkLine(status.link)
        let sign = StyledText(Array(link.parts.prefix(1)))
        let help = "? help"
        if columns >= link.columns + 2 + help.count {
            let space = String(repeating: " ", count: columns - link.columns - help.count)
            return link + StyledText(space + help)
        }
        return sign + StyledText(" " + help)
    }

    static func draw(_ lines: [Line], on canvas: inout TextCanvas) {
        for (row, line) in lines.enumerated() {
            let point = CellPoint(column: 0, row: row)
            switch line {
            case .text(let text): canvas.write(text, at: point)
            case .complication(let text): canvas.write(text, at: point)
            case .row(let position, let row):
                let sign =
                    switch row.state {
                    case .waiting: "\(position + 1) "
                    case .struck: "✓ "
                    }
                let style: TextStyle =
                    switch row.state {
                    case .waiting: .plain
                    case .struck: .decoration
                    }
                canvas.write(StyledText(sign + row.displayTitle, style), at: point)
            }
        }
    }
}
