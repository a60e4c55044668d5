/// A page that names a file which is not there leads its reader nowhere.
///
/// Looks at links, at paths in backticks that begin in one of the top folders, at names of Swift files and at names of test
/// suites. A path with a placeholder, such as `Sources/tapline/Phone/<Name>Command.swift`, has to begin with a folder that exists.
public struct PathOnPage: Rule {
    /// What the rule is called in a report.
    public static let name = "page-path"
    private static let topFolders = ["Hardware/", "Simulator/", "Sources/", "Tests/"]

    /// The rule.
    public init() {}

    /// Nothing: pages are no Swift files.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] { [] }

    /// The places of pages that name what does not exist.
    public func violations(of project: Project) -> [Violation] {
        project.pages.flatMap { page in
            page.lines.indices.flatMap { index -> [Violation] in
                let broken =
                    page.code(onLine: index).compactMap { Self.missing($0, from: project.tree) }
                    + page.linkTargets(onLine: index).filter { !project.tree.has(path: String($0), from: page.folder) }
                    .map(String.init)
                return broken.map { path in
                    Violation(path: page.path, line: index + 1, rule: name, message: "\(path) does not exist")
                }
            }
        }
    }

    /// The part of `code` that names a file or a suite which is not there, or nil.
    private static func missing(_ code: Substring, from tree: FileTree) -> String? {
        guard let word = code.split(separator: " ").first else { return nil }
        if topFolders.contains(where: word.hasPrefix) {
            let isPlain = !word.contains { "<>*{".contains($0) }
            let path = isPlain ? String(word) : folder(before: word)
            return tree.has(path: path, from: "") ? nil : String(word)
        }
        guard word.count == code.count, word.allSatisfy({ $0.isLetter || $0.isNumber || "+.".contains($0) }) else {
            return nil
        }
        if word.hasSuffix(".swift") { return tree.names.contains(String(word)) ? nil : String(word) }
        guard word.hasSuffix("Tests"), !word.contains(".") else { return nil }
        return tree.names.contains("\(word).swift") || tree.names.contains(String(word)) ? nil : String(word)
    }

    /// The folders of a path before its first placeholder.
    private static func folder(before word: Substring) -> String {
        word.split(separator: "/").prefix { part in !part.contains { "<>*{".contains($0) } }.joined(separator: "/")
    }
}
