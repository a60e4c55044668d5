/// What is not done yet is an issue, not a comment.
public struct NothingUnfinished: Rule {
    /// What the rule is called in a report.
    public static let name = "nothing-unfinished"
    /// The words that begin such a comment.
    static let marks = ["TODO", "FIXME", "XXX", "HACK"]

    /// The rule.
    public init() {}

    /// The comments of `file` that put something off.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        file.comments.compactMap { comment in
            let words = comment.text.split { !$0.isLetter }
            guard let mark = NothingUnfinished.marks.first(where: { words.contains(Substring($0)) }) else { return nil }
            return Violation(
                path: file.path, line: comment.line, rule: name, message: "\(mark): finish it or leave it out")
        }
    }
}
