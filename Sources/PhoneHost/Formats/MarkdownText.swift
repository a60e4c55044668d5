/// Text without the marks of Markdown.
enum MarkdownText {
    /// The text without emphasis, and with the words of links and pictures in their places: `**[Milk](https://…)** 2 l` is `Milk 2 l`.
    /// A mark that has no other stays, and so does one within a word: they may belong to it.
    static func plain(_ text: String) -> String {
        var text = withoutLinks(text)
        for mark in ["**", "__"] { text = withoutPairs(of: mark, text) }
        for mark in ["*", "_"] as [Character] { text = withoutEmphasis(mark, text) }
        return text
    }

    private static func withoutPairs(of mark: String, _ text: String) -> String {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        guard parts.count > 1, !parts.count.isMultiple(of: 2) else { return text }
        // What is between two marks has no space at its ends, and is something.
        let isPaired = stride(from: 1, to: parts.count, by: 2).allSatisfy {
            parts[$0].first?.isWhitespace == false && parts[$0].last?.isWhitespace == false
        }
        return isPaired ? parts.joined() : text
    }

    /// Takes the mark off where a part of the text begins and ends with it, at the ends of words.
    private static func withoutEmphasis(_ mark: Character, _ text: String) -> String {
        guard text.count(where: { $0 == mark }) == 2, let begin = text.firstIndex(of: mark),
            let end = text.lastIndex(of: mark)
        else { return text }
        let before = text[..<begin].last
        let inner = text[text.index(after: begin)..<end]
        let behind = text[text.index(after: end)...].first
        let isAtWords =
            before.map { $0.isWhitespace || $0 == "(" } ?? true && behind.map { !$0.isLetter && !$0.isNumber } ?? true
        guard isAtWords, inner.first?.isWhitespace == false, inner.last?.isWhitespace == false else { return text }
        return String(text[..<begin] + inner + text[text.index(after: end)...])
    }

    /// Each `[words](address)` becomes its words, also behind the `!` of a picture.
    private static func withoutLinks(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "[") {
            guard let close = rest[open...].firstIndex(of: "]"), rest[close...].dropFirst().first == "(",
                let end = rest[close...].firstIndex(of: ")"), rest.index(after: open) < close
            else { break }
            let before = rest[..<open]
            result += (before.last == "!" ? before.dropLast() : before) + rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
