/// Removes the marks of Markdown from text.
enum MarkdownText {
    // Matching does not change a regular expression, so threads may share these.
    private nonisolated(unsafe) static let link = /!?\[([^\[\]]+)\]\((?:[^()]|\([^()]*\))*\)/
    private nonisolated(unsafe) static let emphasis = /(^|[\s(])(\*\*|__|\*|_)(\S|\S.*?\S)\2(?![\p{L}\p{N}])/

    /// Removes emphasis, and keeps the words of links and pictures: `**[Milk](https://…)** 2 l` becomes `Milk 2 l`. A mark
    /// without a partner, or inside a word, stays.
    static func plain(_ text: String) -> String {
        guard text.utf8.count <= longest, text.contains(where: { "[*_".contains($0) }) else { return text }
        let words = text.replacing(link) { $0.1 }
        return (0..<2).reduce(words) { words, _ in words.replacing(emphasis) { $0.1 + $0.3 } }
    }

    /// The longest line, in bytes, from which marks are removed. A longer line stays as it is.
    static let longest = 1_000
}
