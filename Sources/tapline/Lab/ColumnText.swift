/// Text in columns. The lab's own texts have characters of one column each.
extension String {
    /// Cut, or padded on the right, to a width in columns.
    func padded(to columns: Int) -> String {
        count > columns
            ? String(prefix(max(0, columns - 1))) + "…" : self + String(repeating: " ", count: columns - count)
    }

    /// Padded on the left to a width in columns.
    func aligned(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - count)) + self
    }

    /// The words in lines of at most this width in columns; a longer word gets a line of its own.
    func wrapped(to columns: Int) -> [String] {
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

/// A bar of block characters, in eighths of a column.
enum BarText {
    /// A bar of `width` columns that is filled by the share of `value` in `longest`. A value above 0 is never empty.
    static func bar(_ value: UInt64, of longest: UInt64, width: Int) -> String {
        guard value > 0, longest > 0 else { return String(repeating: " ", count: width) }
        let exact = Double(min(value, longest)) / Double(longest) * Double(width * 8)
        let eighths = max(1, Int(exact.rounded()))
        let whole = String(repeating: "█", count: eighths / 8)
        let rest = eighths % 8 == 0 ? "" : String(parts[eighths % 8 - 1])
        return whole + rest + String(repeating: " ", count: width - whole.count - rest.count)
    }

    private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
