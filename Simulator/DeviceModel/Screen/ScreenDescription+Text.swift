import HostSystem
import Watch

extension ScreenDescription {
    /// The screen as plain text for people and screen readers: one string for each line, without control characters.
    ///
    /// The line of a row begins with the number that scripts use for the row. Row 1 is directly below the title bar.
    public var lines: [String] {
        let body =
            switch screen {
            case .face: faceLines
            case .list: listLines
            case .status: ["Phone" + (signs.isBatteryLow ? ", battery low" : "")] + statusLines
            case .fullTitle: ["Full title"] + (fullTitle.isEmpty ? [] : [fullTitle])
            case .pairing:
                [
                    "Does the phone show the same digits?", pairingDigits ?? "",
                    "hold crown: yes, press side: no",
                ]
            case .sheet: sheetLines
            case .past: pastLines
            }
        return (body + [linkLine] + noticeLineElsewhere).map { SanitizedLine($0).text }
    }

    private var noticeLineElsewhere: [String] {
        switch screen {
        case .status: []
        case .face, .list, .fullTitle, .pairing, .sheet, .past: [noticeLine].compactMap(\.self)
        }
    }

    /// The four lines of the status sheet, without its title.
    package var statusLines: [String] {
        let state =
            switch link {
            case .reachable: "Connected"
            case .connecting: "Connecting"
            case .down: "No phone"
            }
        let messages = waitingMessages == 0 ? "All sent" : "\(waitingMessages) to send"
        let bottom = notice.lines ?? signs.lines
        return [state, messages, "\(bottom.0)", "\(bottom.1)"]
    }

    package var signWords: [String] {
        (signs.isBatteryLow ? ["battery low"] : []) + (signs.isPairable ? ["phones may pair"] : [])
    }

    /// The strings of `lines` as one text. Each line ends with a line feed.
    public var text: String {
        lines.map { $0 + "\n" }.joined()
    }

    package var shownTime: String { travel?.time ?? time }

    package var shownComplication: Complication { travel?.complication ?? complication }

    private var faceLines: [String] {
        let complication = shownComplication
        let name =
            switch face {
            case .modular: "Face"
            case .simple, .bigDigits: "Face \(face.name)"
            }
        var lines = [name + (time.isEmpty ? "" : ", \(shownTime)" + (travel.map { ", \($0.distance)" } ?? ""))]
        lines += signWords
        // Off the wrist, the panel shows bars instead of the wearer's data.
        if wrist == .removed { return lines + ["off the wrist, nothing private shown"] }
        if !complication.text.isEmpty { lines.append("complication: \(complication.text)") }
        if let left = complication.remaining { lines.append("\(left) left") }
        return lines
    }

    private var sheetLines: [String] {
        guard let sheet else { return [] }
        return [sheet.title, sheet.text] + sheet.buttons.enumerated().map { "button \($0): \($1)" }
    }

    private var pastLines: [String] {
        let shown = rowNumbers.compactMap { number in
            row(at: number - 1).map { "\(number) [+] \($0.displayTitle)" }
        }
        return ["Add again"] + (shown.isEmpty ? ["no past items"] : shown)
    }

    private var listLines: [String] {
        let heading = "\(title.isEmpty ? "List" : title), \(remaining) left"
        guard !rows.isEmpty else {
            return switch placeholder {
            case .none, .allDone, .noPast: [heading, "nothing to check off"]
            case .noListYet: [heading, "no list yet"]
            case .moreToCome: [heading, "more to come from the phone"]
            case .nothingYet: [heading, "nothing on the list yet"]
            }
        }
        let shown = rowNumbers.compactMap { number in
            row(at: number - 1).map { ScreenDescription.line(for: $0, number) }
        }
        let above = min(firstVisibleRow, rowCount)
        let below = rowCount - above - shown.count
        var lines = [heading] + shown
        if above > 0 { lines.insert("\(above) above", at: 1) }
        if below > 0 { lines.append("\(below) below") }
        if more > 0 { lines.append("\(more) more on the phone") }
        return lines
    }

    var linkLine: String {
        let state =
            switch link {
            case .down: "phone not connected"
            case .connecting: "phone connecting"
            case .reachable: "phone connected"
            }
        let messages =
            if waitingMessages > 0 {
                "\(CountText(waitingMessages, "message")) waiting"
            } else {
                isSynchronized ? "in sync" : "not in sync"
            }
        return "\(state), \(messages)"
    }

    package var noticeLine: String? {
        notice.lines.map { "\($0.0) \($0.1)".lowercased() }
    }

    /// The numbers of the rows on the panel, from 1.
    var rowNumbers: Range<Int> {
        let count = (0..<RowGeometry.rowsVisible).prefix { row(at: $0) != nil }.count
        return 1..<count + 1
    }

    private static func line(for row: Row, _ number: Int) -> String {
        switch row.state {
        case .waiting: "\(number) [ ] \(row.displayTitle)"
        case .struck: "\(number) [x] \(row.displayTitle)"
        }
    }
}
