/// A script of the shell.
public struct Script: Sendable {
    /// The path from the repository's top: `Tests/run`.
    public let path: String
    let lines: [Substring]

    /// The script at `path`, whose text is `text`; nothing for a file that is none: a name without an ending, or of a test, whose
    /// first line names the shell, or begins a comment.
    public init?(path: String, text: String) {
        let file = path.split(separator: "/").last ?? ""
        guard !file.contains(".") || file.hasSuffix(".test"), text.hasPrefix("#") else { return nil }
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The functions that begin at a line's start, each with its line, counted from 1.
    var functions: [(name: Substring, line: Int)] {
        lines.enumerated().compactMap { index, line in
            guard let end = line.firstIndex(of: "("), line[end...].hasPrefix("() {"), end > line.startIndex else {
                return nil
            }
            return (line[..<end], index + 1)
        }
    }
}
