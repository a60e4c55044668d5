/// A page beside the sources, in Markdown.
public struct Page: Sendable {
    /// The path from the repository's top: `Simulator/README.md`.
    public let path: String
    let lines: [Substring]

    /// The page at `path`, whose text is `text`.
    public init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The folder that the page is in, empty for the top.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    /// What stands in backticks on the line at `index`, counted from 0.
    func code(onLine index: Int) -> [Substring] {
        let parts = lines[index].split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 && $0 + 1 < parts.count }.map { parts[$0] }
    }

    /// The targets of the links on the line at `index` that lead to a file: from the page's folder on, without the place inside it.
    func linkTargets(onLine index: Int) -> [Substring] {
        lines[index].split(separator: "](").dropFirst().compactMap { part in
            let target = part.prefix { $0 != ")" && $0 != "#" }
            return target.isEmpty || target.contains(":") ? nil : target
        }
    }
}
