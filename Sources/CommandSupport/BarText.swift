/// A bar of block characters, in eighths of a column.
package enum BarText {
    /// A bar of `width` columns that is filled by the share of `value` in `longest`. A value above 0 is never empty.
    package static func bar(_ value: UInt64, of longest: UInt64, width: Int) -> String {
        guard value > 0, longest > 0 else { return String(repeating: " ", count: width) }
        let exact = Double(min(value, longest)) / Double(longest) * Double(width * 8)
        let eighths = max(1, Int(exact.rounded()))
        let whole = String(repeating: "█", count: eighths / 8)
        let rest = eighths % 8 == 0 ? "" : String(parts[eighths % 8 - 1])
        return whole + rest + String(repeating: " ", count: width - whole.count - rest.count)
    }

    private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
