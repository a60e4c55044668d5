/// What a line of Markdown is by its marks. It is asked of the content of a line: see `LineMarks.content(of:)`.
enum MarkdownLine: Equatable {
    /// Nothing.
    case blank
    /// A heading, with the number of its marks and its words; `##` alone is one, too.
    case heading(level: Int, words: Substring)
    /// The line that underlines a heading: `====`, `----`.
    case underline
    /// A rule or a fence: `***`, `* * *`, `___`, or three backticks with a word at most.
    case rule
    /// Anything else.
    case text

    init(_ content: Substring) {
        let content = LineMarks.withoutEnd(content)
        guard let first = content.first else {
            self = .blank
            return
        }
        let marks = content.prefix { $0 == "#" }
        if (1...6).contains(marks.count), content.dropFirst(marks.count).first.map(\.isWhitespace) ?? true {
            var words = content.dropFirst(marks.count).drop(while: \.isWhitespace)
            // A heading may end with marks, too.
            while let last = words.last, last.isWhitespace || last == "#" { words.removeLast() }
            self = .heading(level: marks.count, words: words)
        } else if content.count >= 2, "=-".contains(first), content.allSatisfy({ $0 == first }) {
            self = .underline
        } else {
            self = MarkdownLine.isRule(content, first) ? .rule : .text
        }
    }

    private static func isRule(_ content: Substring, _ first: Character) -> Bool {
        if "*_-".contains(first) {
            let marks = content.filter { !$0.isWhitespace }
            if marks.count >= 3 { return marks.allSatisfy { $0 == first } }
        }
        let behind = content.dropFirst(3)
        return content.hasPrefix("```") && !behind.contains { $0 == "`" || $0.isWhitespace && $0 != " " }
            && behind.split(separator: " ").count < 2
    }
}
