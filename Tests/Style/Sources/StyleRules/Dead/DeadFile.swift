import SwiftSyntax

/// A shipped file that declares nothing and does nothing is dead.
public struct DeadFile: Rule {
    /// What the rule is called in a report.
    public static let name = "dead-file"

    /// The rule.
    public init() {}

    /// The whole of `file`, where nothing but comments and imports is in it.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        guard Place(path: file.path) != nil, file.tree.statements.allSatisfy({ $0.item.is(ImportDeclSyntax.self) })
        else { return [] }
        return [Violation(path: file.path, line: 1, rule: name, message: "the file declares nothing")]
    }
}
