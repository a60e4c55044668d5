/// A file that is longer than this holds more than one thing.
public struct FileLength: Rule {
    /// What the rule is called in a report.
    public static let name = "file-length"
    /// The most lines that a file has.
    static let limit = 400

    /// The rule.
    public init() {}

    /// The whole of `file`, where it is too long.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        guard file.lines.count > FileLength.limit else { return [] }
        let message = "\(file.lines.count) lines, more than \(FileLength.limit); split the file by the types it holds"
        return [Violation(path: file.path, line: FileLength.limit + 1, rule: name, message: message)]
    }
}
