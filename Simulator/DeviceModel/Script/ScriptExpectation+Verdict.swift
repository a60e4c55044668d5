extension ScreenExpectation {
    /// Whether a screen is as it was expected.
    enum Verdict: Equatable {
        case met
        /// It is not: what was expected, and what was found.
        case failed(expected: String, found: String)

        /// Met where `isMet`, which is asked once.
        fileprivate init(_ isMet: Bool, _ expected: String, found: @autoclosure () -> String) {
            self = isMet ? .met : .failed(expected: expected, found: found())
        }
    }

    /// Judges the screen that `description` tells of. A title that the watch had to cut is met with and without the ellipsis.
    func verdict(on description: ScreenDescription) -> Verdict {
        switch self {
        case .title(let text):
            return Verdict(description.title == text, "title \"\(text)\"", found: "\"\(description.title)\"")
        case .row(let number, let text):
            let expected = "row \(number) \"\(text)\""
            if let other = description.screenInsteadOfRows { return .failed(expected: expected, found: other) }
            guard let row = description.row(at: number - 1) else {
                return .failed(expected: expected, found: "no row there")
            }
            return Verdict(row.says(text), expected, found: "\"\(row.displayTitle)\"")
        case .noRow(let text):
            let expected = "no row \"\(text)\""
            if let other = description.screenInsteadOfRows { return .failed(expected: expected, found: other) }
            let number = description.rowNumbers.first { description.row(at: $0 - 1)?.says(text) == true }
            return Verdict(number == nil, expected, found: "it in row \(number ?? 0)")
        case .screen(let screen):
            return Verdict(description.screen == screen, "screen \(screen.name)", found: description.screen.name)
        case .face(let face):
            return Verdict(description.face == face, "face \(face.name)", found: "\(description.face.name)")
        case .left(let count):
            return Verdict(description.remaining == count, "\(count) left", found: "\(description.remaining)")
        case .complication(let text):
            let found = description.complication.text
            return Verdict(
                found == text, "complication \"\(text)\"", found: found.isEmpty ? "none" : "\"\(found)\"")
        case .text(let text):
            let lines = description.lines
            return Verdict(
                lines.contains { $0.contains(text) }, "text \"\(text)\"",
                found: lines.map { "\"\($0)\"" }.joined(separator: ", "))
        }
    }
}

extension ScreenDescription {
    /// The screen that is up, in words, where it has no rows; nil for the list and for past items.
    var screenInsteadOfRows: String? {
        switch screen {
        case .list, .past: nil
        case .face, .status, .fullTitle, .pairing, .sheet: "screen \(screen.name)"
        }
    }

    /// What keeps a tap on a row from checking it off, nil for nothing that the screen tells of.
    func obstacle(toTapping number: Int) -> String? {
        if let other = screenInsteadOfRows { return other }
        guard let row = row(at: number - 1) else {
            return rowNumbers.isEmpty ? "no rows" : "no row there: the last one is row \(rowNumbers.count)"
        }
        switch row.state {
        case .waiting: return nil
        case .struck: return "\"\(row.displayTitle)\", which is checked off already"
        }
    }
}

extension ScreenDescription.Row {
    /// Whether it says exactly this, with or without the ellipsis where the watch had to cut the title.
    func says(_ text: String) -> Bool { title == text || displayTitle == text }
}
