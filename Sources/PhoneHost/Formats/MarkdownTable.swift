/// Tables of Markdown in a text, and the lines that their rows are.
enum MarkdownTable {
    /// The lines of a text with each row of a table as a line of its cells, without the head and its rule.
    static func rows(_ lines: [Substring]) -> [Substring] {
        let rules = lines.map(isRule)
        return lines.indices.map { index in
            if rules[index] || rules.indices.contains(index + 1) && rules[index + 1] && cells(lines[index]) != nil {
                return ""
            }
            return cells(lines[index]).map { $0.joined(separator: " ")[...] } ?? lines[index]
        }
    }

    /// The cells of a line between two bars that are not empty; nil where it is no row.
    private static func cells(_ line: Substring) -> [Substring]? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.first?.first == "|", words.last?.last == "|", line.count(where: { $0 == "|" }) > 1 else {
            return nil
        }
        return words.joined(separator: " ").split(separator: "|").map { cell in
            cell.split(separator: " ").joined(separator: " ")[...]
        }.filter { !$0.isEmpty }
    }

    /// Whether a line separates the head of a table from its rows: `|---|:-:|`.
    private static func isRule(_ line: Substring) -> Bool {
        cells(line).map { !$0.isEmpty && $0.allSatisfy { $0.contains("-") && $0.allSatisfy { "-: ".contains($0) } } }
            ?? false
    }
}
