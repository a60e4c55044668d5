/// Every buffer of the shipped modules stands on a page with its bound, and every row of the page names one that is there.
///
/// A row is `| file | buffers | bound | at the bound |` with file and buffers in backticks. The section of exceptions has rows
/// `| folder | why |`: nothing in those folders is a buffer.
public struct BufferOnPage: Rule {
    /// What the rule is called in a report.
    public static let name = "buffer"
    static let page = "Tests/BUFFERS.md"
    static let heading = "## Buffers"
    static let exceptions = "## Not buffers"

    /// The rule.
    public init() {}

    /// The buffers of `file` that the page does not have.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        guard let listed = Listed(project) else { return [] }
        return project.buffers.filter { $0.path == file.path && !listed.has($0) }.map { buffer in
            Violation(
                path: buffer.path, line: buffer.line, rule: Self.name,
                message: "\(buffer.name) has no limit that can be seen: give its bound in \(Self.page)")
        }
    }

    /// The rows of the page that name what is not there.
    public func violations(of project: Project) -> [Violation] {
        guard let listed = Listed(project) else { return [] }
        return listed.rows.flatMap { row in
            row.names.filter { name in !project.buffers.contains { $0.path == row.path && $0.name == name } }.map {
                name in
                Violation(
                    path: Self.page, line: row.line, rule: Self.name, message: "\(row.path) has no buffer \(name)")
            }
        }
    }

    /// What the page lists.
    private struct Listed {
        struct Row {
            let line: Int
            let path: String
            let names: [String]
        }

        private(set) var rows: [Row] = []
        private var folders: [String] = []

        /// Nil where there is no such page.
        init?(_ project: Project) {
            guard let page = project.pages.first(where: { $0.path == BufferOnPage.page }) else { return nil }
            var heading = ""
            for index in page.lines.indices {
                if page.lines[index].hasPrefix("## ") { heading = String(page.lines[index]) }
                let code = page.code(onLine: index).map(String.init)
                guard page.lines[index].hasPrefix("| `"), let first = code.first else { continue }
                switch heading {
                case BufferOnPage.heading:
                    rows.append(Row(line: index + 1, path: first, names: Array(code.dropFirst())))
                case BufferOnPage.exceptions: folders.append(first)
                case _: break
                }
            }
        }

        func has(_ buffer: GrowingBuffer) -> Bool {
            folders.contains { buffer.path.hasPrefix($0) }
                || rows.contains { $0.path == buffer.path && $0.names.contains(buffer.name) }
        }
    }
}
