/// Text without the marks of Markdown around it.
enum MarkdownText {
    private static let marks = ["**", "__", "*", "_"]

    /// The text without emphasis around the whole of it, and with the words of links in the place of links: `**[Milk](https://…)**`
    /// is `Milk`. Marks within the text stay: they may belong to it.
    static func plain(_ text: String) -> String {
        var text = Substring(text)
        while let inner = withoutMark(text) { text = inner }
        return withoutLinks(String(text))
    }

    private static func withoutMark(_ text: Substring) -> Substring? {
        for mark in marks where text.hasPrefix(mark) && text.hasSuffix(mark) && text.count > 2 * mark.count {
            let inner = text.dropFirst(mark.count).dropLast(mark.count)
            let isWhole =
                inner.first?.isWhitespace == false && inner.last?.isWhitespace == false && !inner.contains(mark)
            if isWhole { return inner }
        }
        return nil
    }

    /// Each `[words](address)` becomes its words.
    private static func withoutLinks(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "[") {
            guard let close = rest[open...].firstIndex(of: "]"), rest[close...].dropFirst().first == "(",
                let end = rest[close...].firstIndex(of: ")"), rest.index(after: open) < close
            else { break }
            result += rest[..<open] + rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
