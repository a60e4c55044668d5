/// Text without the marks of Markdown.
enum MarkdownText {
    // A regular expression is not changed by matching, so that threads share these.
    private nonisolated(unsafe) static let link = /!?\[([^\[\]]+)\]\((?:[^()]|\([^()]*\))*\)/
    private nonisolated(unsafe) static let emphasis = /(^|[\s(])(\*\*|__|\*|_)(\S|\S.*?\S)\2(?![\p{L}\p{N}])/

    /// The text without emphasis, and with the words of links and pictures in their places: `**[Milk](https://…)** 2 l` is `Milk 2 l`.
    /// A mark that has no other stays, and so does one within a word: they may belong to it.
    static func plain(_ text: String) -> String {
        guard text.utf8.count <= longest, text.contains(where: { "[*_".contains($0) }) else { return text }
        let words = text.replacing(link) { $0.1 }
        return (0..<2).reduce(words) { words, _ in words.replacing(emphasis) { $0.1 + $0.3 } }
    }

    /// The bytes of the longest line with marks.
    static let longest = 1_000
}
