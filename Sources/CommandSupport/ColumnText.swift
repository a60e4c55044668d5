/// Text in columns. The lab's own texts have characters of one column each.
extension String {
    /// Cut, or padded on the right, to a width in columns.
    package func padded(to columns: Int) -> String {
        count > columns
            ? String(prefix(max(0, columns - 1))) + "…" : self + String(repeating: " ", count: columns - count)
    }

    /// Padded on the left to a width in columns.
    package func aligned(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - count)) + self
    }

    /// The words in lines of at most this width in columns; a longer word gets a line of its own.
    package func wrapped(to columns: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
