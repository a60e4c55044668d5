import DeviceModel
import Watch

/// Draws the panel as text. Each line has the same position as its content on the panel, so a click on a line touches that
/// content.
struct TextPanel {
    private static let ink = TextStyle(BrailleRenderer.lit, on: BrailleRenderer.dark)
    private static let emphasis = TextStyle(BrailleRenderer.lit, on: BrailleRenderer.dark, weight: .bold)
    private static let bar = TextStyle(BrailleRenderer.dark, on: BrailleRenderer.lit)

    private let columns: Int
    private let linesPerRow: Int
    private var canvas: TextCanvas

    /// Draws a screen. The title bar and each row of the list are `linesPerRow` lines of text high, 1 to 3.
    static func render(_ description: ScreenDescription, columns: Int, linesPerRow: Int) -> TextCanvas {
        var panel = TextPanel(columns: columns, linesPerRow: linesPerRow)
        panel.draw(description)
        return panel.canvas
    }

    private init(columns: Int, linesPerRow: Int) {
        self.columns = columns
        self.linesPerRow = linesPerRow
        canvas = TextCanvas(size: CellSize(columns: columns, rows: PanelPicture.strips * linesPerRow))
        canvas.fill(CellRect(column: 0, row: 0, columns: columns, rows: canvas.size.rows), style: TextPanel.ink)
    }

    private mutating func draw(_ description: ScreenDescription) {
        switch description.screen {
        case .face: drawFace(description)
        case .list: drawList(description)
        case .status: drawStatus(description)
        case .fullTitle: drawWrapped(description.fullTitle, in: 1..<PanelPicture.strips)
        case .pairing:
            drawTitle("Same digits?")
            centre(description.pairingDigits ?? "", strip: 2, TextPanel.emphasis)
            centre("Hold crown (y): yes", strip: 4)
            centre("Side button (s): no", strip: 5)
        case .sheet: if let sheet = description.sheet { draw(sheet) }
        case .past: drawPast(description)
        }
    }

    private mutating func drawList(_ description: ScreenDescription) {
        drawTitle(description.title, end: "\(description.remaining) \(description.link.sign)")
        guard !description.rows.isEmpty else { return drawPlaceholder(description.placeholder) }
        drawRows(description)
        drawScrollIndicator(description, description.rowCount)
        if description.more > 0 {
            canvas.put("▼", at: CellPoint(column: columns - 1, row: canvas.size.rows - 1), style: TextPanel.ink)
        }
    }

    private mutating func drawPlaceholder(_ placeholder: EmptyListPlaceholder) {
        for (strip, line) in zip(2..., placeholder.lines) { centre(line, strip: strip) }
    }

    private mutating func drawPast(_ description: ScreenDescription) {
        // The firmware describes only the visible rows, so the number of all rows is unknown.
        let count = description.rows.count > RowGeometry.rowsVisible ? description.rows.count : nil
        drawTitle("Add again", end: (count.map { "\($0) " } ?? "") + description.link.sign)
        if description.rows.isEmpty { drawPlaceholder(.noPast) }
        drawRows(description)
        if let count { drawScrollIndicator(description, count) }
    }

    private mutating func drawRows(_ description: ScreenDescription) {
        for position in 0..<RowGeometry.rowsVisible {
            guard let row = description.row(at: position) else { break }
            let sign =
                switch row.state {
                case .waiting: "\(position + 1) "
                case .struck: "✓ "
                }
            write(sign + row.displayTitle, strip: position + 1, limit: columns - 3)
        }
    }

    /// Draws the indicator in the last column, if the list has more rows than the panel shows.
    private mutating func drawScrollIndicator(_ description: ScreenDescription, _ count: Int) {
        let track = linesPerRow..<canvas.size.rows
        if count > RowGeometry.rowsVisible {
            let last = min(count, description.firstVisibleRow + RowGeometry.rowsVisible)
            // Rounded up, so that the mark is at an end of the column only if the list is at its end.
            let first = track.lowerBound + (description.firstVisibleRow * track.count + count - 1) / count
            let end = max(min(first, track.upperBound - 1) + 1, track.lowerBound + last * track.count / count)
            for row in min(first, end - 1)..<end {
                canvas.put("┃", at: CellPoint(column: columns - 1, row: row), style: TextPanel.ink)
            }
        }
    }

    private mutating func drawFace(_ description: ScreenDescription) {
        let time = description.time.isEmpty ? "--:--" : description.shownTime
        if let travel = description.travel {
            centre(travel.distance, strip: 0)
            canvas.fill(
                CellRect(column: 0, row: 2 * linesPerRow, columns: columns, rows: linesPerRow), style: TextPanel.bar)
            centre(time, strip: 2, TextPanel.bar)
        } else {
            centre(time, strip: 2, TextPanel.emphasis)
        }
        centre(description.signWords.joined(separator: ", "), strip: 1)
        if description.face != .modular { centre("face \(description.face.name)", strip: 6) }
        switch description.wrist {
        case .worn:
            let complication = description.shownComplication
            if let left = complication.remaining { centre("\(left) left", strip: 4) }
            centre(complication.text, strip: 5)
        case .removed: centre("Off the wrist", strip: 4)
        }
    }

    private mutating func drawStatus(_ description: ScreenDescription) {
        drawTitle("Phone", end: description.signs.isBatteryLow ? "battery low" : "")
        for (strip, line) in zip(2..., description.statusLines) { centre(line, strip: strip) }
    }

    private mutating func draw(_ sheet: ScreenDescription.Sheet) {
        drawTitle(sheet.title)
        let last = PanelPicture.strips - 1
        drawWrapped(sheet.text, in: 2..<last)
        for (index, label) in sheet.buttons.enumerated() {
            let first = index * columns / sheet.buttons.count
            let room = (index + 1) * columns / sheet.buttons.count - first
            let text = "[\(label)]"
            canvas.write(
                text, at: CellPoint(column: first + max(0, room - TextPieces(text).columns) / 2, row: line(of: last)),
                style: TextPanel.emphasis, limit: room)
        }
    }

    private func line(of strip: Int) -> Int { strip * linesPerRow + linesPerRow / 2 }

    private mutating func drawTitle(_ title: String, end: String = "") {
        canvas.fill(CellRect(column: 0, row: 0, columns: columns, rows: linesPerRow), style: TextPanel.bar)
        let endColumns = TextPieces(end).columns
        write(title, strip: 0, TextPanel.bar, limit: columns - endColumns - 3)
        canvas.write(end, at: CellPoint(column: columns - endColumns - 1, row: line(of: 0)), style: TextPanel.bar)
    }

    private mutating func write(_ text: String, strip: Int, _ style: TextStyle = ink, limit: Int) {
        canvas.write(text, at: CellPoint(column: 1, row: line(of: strip)), style: style, limit: max(0, limit))
    }

    private mutating func centre(_ text: String, strip: Int, _ style: TextStyle = ink) {
        let room = max(0, columns - TextPieces(text).columns) / 2
        canvas.write(text, at: CellPoint(column: room, row: line(of: strip)), style: style)
    }

    /// Wraps the text, and draws it in the middle of the strips. A strip is as high as a row of the list.
    private mutating func drawWrapped(_ text: String, in strips: Range<Int>) {
        let lines = TextPanel.wrapped(text, columns: columns - 2)
        let rows = strips.lowerBound * linesPerRow..<strips.upperBound * linesPerRow
        let first = rows.lowerBound + max(0, rows.count - lines.count) / 2
        for (row, line) in zip(first..<rows.upperBound, lines) {
            canvas.write(
                line, at: CellPoint(column: max(1, columns - TextPieces(line).columns) / 2, row: row),
                style: TextPanel.ink)
        }
    }

    private static func wrapped(_ text: String, columns: Int) -> [String] {
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
            // A word that is longer than a line is broken.
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
}

extension EmptyListPlaceholder {
    var lines: [String] {
        switch self {
        case .none: []
        case .allDone: ["✓", "All done", "Swipe: add again"]
        case .noListYet: ["No list yet", "Add on the phone"]
        case .moreToCome: ["More to come", "from the phone"]
        case .nothingYet: ["Nothing yet", "Add on the phone"]
        case .noPast: ["No past items", "from the phone"]
        }
    }
}

extension ScreenDescription.Link {
    var sign: String {
        switch self {
        case .reachable: "●"
        case .connecting: "◐"
        case .down: "○"
        }
    }
}
