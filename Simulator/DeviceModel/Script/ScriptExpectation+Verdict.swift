extension ScriptExpectation {
    /// Whether a screen is as it was expected.
    enum Verdict: Equatable {
        case met
        /// It is not: what was expected, and what was found.
        case failed(expected: String, found: String)
    }

    /// Judges the screen that `description` tells of. A title that the watch had to cut is met with and without the ellipsis.
    func verdict(on description: ScreenDescription) -> Verdict {
        switch self {
        case .title(let text):
            guard description.title != text else { return .met }
            return .failed(expected: "title \"\(text)\"", found: "\"\(description.title)\"")
        case .row(let position, let text):
            let expected = "row \(position) \"\(text)\""
            switch description.screen {
            case .list: break
            case .face, .status, .fullTitle, .pairing, .sheet:
                return .failed(expected: expected, found: "screen \(description.screen.name)")
            }
            guard let row = description.row(at: position) else {
                return .failed(expected: expected, found: "no row there")
            }
            guard row.title != text, row.displayTitle != text else { return .met }
            return .failed(expected: expected, found: "\"\(row.displayTitle)\"")
        case .screen(let screen):
            guard description.screen != screen else { return .met }
            return .failed(expected: "screen \(screen.name)", found: description.screen.name)
        }
    }
}
