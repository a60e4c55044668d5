/// Nothing shipped is dead: every declaration of a shipped module is used by something shipped.
///
/// A declaration is used where its name stands outside itself and outside other dead declarations: in a shipped file, or
/// in a page beside the sources, which speaks to the users of a library. Tests do not count. The rule goes by names, so a
/// declaration that shares its name with a living one is taken for alive.
public struct DeadDeclaration: Rule {
    /// What the rule is called in a report.
    public static let name = "dead"

    /// The declarations that stay although nothing shipped uses them, each with the reason.
    let exceptions: [DeadException]

    /// The rule with exceptions of its own, for a test.
    init(exceptions: [DeadException]) { self.exceptions = exceptions }

    /// Tapline's rule.
    public static let tapline = DeadDeclaration(exceptions: DeadException.tapline)

    /// The rule that allows no exception.
    public static let withoutExceptions = DeadDeclaration(exceptions: [])

    /// The dead declarations of `file`.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        project.dead.filter { $0.path == file.path && !isExcepted($0) }.map { declaration in
            let message = "nothing shipped uses '\(declaration.fullName)'"
            return Violation(path: declaration.path, line: declaration.line, rule: name, message: message)
        }
    }

    /// The exceptions that are no longer needed.
    public func violations(of project: Project) -> [Violation] {
        exceptions.compactMap { exception in
            guard project.folderGraph.isWhole(exception.module) else { return nil }
            if project.dead.contains(where: exception.covers) { return nil }
            let message = "'\(exception.declaration)' is in use, or gone; take the exception off the list"
            return Violation(path: exception.module, line: 1, rule: name, message: message)
        }
    }

    private func isExcepted(_ declaration: Declaration) -> Bool {
        exceptions.contains { $0.covers(declaration) }
    }
}
