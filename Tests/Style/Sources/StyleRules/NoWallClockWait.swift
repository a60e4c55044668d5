import SwiftSyntax

/// No thread waits for a time of the wall clock, which somebody may set meanwhile: Dispatch's semaphores and groups do.
///
/// On Linux they turn the length of a wait into a time of that clock.
public struct NoWallClockWait: Rule {
    /// What the rule is called in a report.
    public static let name = "no-wall-clock-wait"

    /// The rule.
    public init() {}

    /// The calls of `file` that wait so. Tests may: they run on a machine whose clock nobody sets.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        guard !file.path.hasPrefix("Tests/") else { return [] }
        let visitor = WaitVisitor(file: file)
        visitor.walk(file.tree)
        return visitor.violations
    }
}

private final class WaitVisitor: SyntaxVisitor {
    let file: SourceFile
    var violations: [Violation] = []

    init(file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let called = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        if called == "wait", let label = node.arguments.first?.label?.text, ["timeout", "wallTimeout"].contains(label) {
            violations.append(
                file.violation(
                    NoWallClockWait.name, at: node,
                    "the wall clock may be set meanwhile: wait with `WaitableState` or `PolledDescriptor`"))
        }
        return .visitChildren
    }
}
