/// The page of the simulator lists the files that a touch passes through, in order, with the functions that it enters. Every file
/// is there and has those functions, and the way is short enough to be read.
public struct TouchWay: Rule {
    /// What the rule is called in a report.
    public static let name = "touch-way"
    /// The most files that a touch passes through.
    static let limit = 45
    static let page = "Simulator/README.md"
    static let heading = "## A touch's way"

    /// The rule.
    public init() {}

    /// Nothing: the way is not one file's.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] { [] }

    /// What is wrong with the list, one violation a row.
    public func violations(of project: Project) -> [Violation] {
        guard let page = project.pages.first(where: { $0.path == Self.page }) else { return [] }
        guard let start = page.lines.firstIndex(where: { $0.hasPrefix(Self.heading) }) else {
            return [Violation(path: page.path, line: 1, rule: name, message: "has no section '\(Self.heading)'")]
        }
        let end = page.lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? page.lines.endIndex
        var files: [String] = []
        var found: [Violation] = []
        for index in start..<end where page.lines[index].hasPrefix("| ") {
            let code = page.code(onLine: index)
            guard let path = code.first(where: { $0.hasSuffix(".swift") }) else { continue }
            files.append(String(path))
            let missing = Self.missing(code.drop { $0 == path }, in: String(path), of: project)
            found += missing.map { Violation(path: page.path, line: index + 1, rule: name, message: $0) }
        }
        let count = Set(files).count
        if count > Self.limit || count == 0 {
            let message = "\(count) files, where a touch passes through 1 to \(Self.limit)"
            found.append(Violation(path: page.path, line: start + 1, rule: name, message: message))
        }
        return found
    }

    /// What a row says of the file at `path` that is not so.
    private static func missing(_ functions: some Collection<Substring>, in path: String, of project: Project)
        -> [String]
    {
        guard let declared = project.functions[path] else { return ["\(path) does not exist"] }
        if functions.isEmpty { return ["\(path): name the function that the touch enters"] }
        return functions.map { $0.prefix { $0 != "(" } }.filter { !declared.contains(String($0)) }.map {
            "\(path) declares no \($0)"
        }
    }
}
