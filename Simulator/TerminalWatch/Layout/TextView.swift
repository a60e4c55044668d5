import DeviceModel
import Watch

/// The watch as text, for terminals in which pixels cannot be shown: a heading, and the rows of the list that the
/// watch's panel shows, each on a line that can be clicked.
enum TextView {
    /// What a row of the terminal shows.
    enum Line: Equatable {
        /// Something to read.
        case text(StyledText)
        /// The list's row at a position of the panel, 0 for the one below the title bar.
        case row(position: Int, ScreenDescription.Row)
        /// The face's complication, which opens the list.
        case complication(String)
    }

    /// The lines for a terminal of `size`, at most as many as it has rows.
    static func lines(_ description: ScreenDescription, status: WatchStatus, size: CellSize) -> [Line] {
        let body: [Line] =
            switch description.screen {
            case .face: face(description)
            case .list: list(description, size: size)
            case .status: [.text(StyledText("Status", .bold))]
            case .fullTitle: wrapped(description.title, columns: size.columns)
            case .pairing:
                [
                    .text(StyledText("Same digits?", .bold)), .text(StyledText(description.pairingDigits ?? "")),
                    .text(StyledText("y yes, s no")),
                ]
            case .sheet: sheet(description.sheet, columns: size.columns)
            }
        let footer = Line.text(footer(status, columns: size.columns))
        switch description.screen {
        case .status:
            let more = CaseCaptions.summary(status).map { Line.text(StyledText($0)) }
            return Array((body + [footer] + more).prefix(size.rows))
        case .face, .list, .fullTitle, .pairing, .sheet:
            guard size.rows > 2 else { return Array(body.prefix(size.rows)) }
            return Array(body.prefix(size.rows - 1)) + [footer]
        }
    }

    private static func sheet(_ sheet: ScreenDescription.Sheet?, columns: Int) -> [Line] {
        guard let sheet else { return [] }
        let buttons = sheet.buttons.map { "[\($0)]" }.joined(separator: " ")
        return [.text(StyledText(sheet.title, .bold))] + wrapped(sheet.text, columns: columns)
            + wrapped(buttons, columns: columns)
    }

    private static func face(_ description: ScreenDescription) -> [Line] {
        [
            .text(StyledText(description.time.isEmpty ? "--:--" : description.time, .bold)),
            .complication("\(description.remaining) left"), .complication(description.complication.text),
        ]
    }

    private static func list(_ description: ScreenDescription, size: CellSize) -> [Line] {
        let count = "\(description.remaining)"
        let room = max(1, size.columns - count.count - 1)
        let title = TextPieces(description.title).fitted(to: room).map { String($0.text) }.joined()
        let heading = Line.text(StyledText(title.padded(to: room) + " " + count, .bold))
        guard !description.rows.isEmpty else { return [heading, .text(StyledText("all done"))] }
        let rows = (0..<RowGeometry.rowsVisible).compactMap { position in
            description.row(at: position).map { Line.row(position: position, $0) }
        }
        return [heading] + rows
    }

    private static func wrapped(_ text: String, columns: Int) -> [Line] {
        var lines: [Line] = []
        var line = ""
        for piece in TextPieces(text).pieces {
            if TextPieces(line).columns + piece.columns > columns {
                lines.append(.text(StyledText(line)))
                line = ""
            }
            line.append(piece.text)
        }
        return lines + [.text(StyledText(line))]
    }

    /// The link's sign, and as much of its state and of the help as fits.
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
