import SwiftSyntax

/// Where the code asks the compiler to trust it, a comment proves that it can: on the same line or the one before.
///
/// That is `@unchecked Sendable`, `nonisolated(unsafe)`, `try!`, `as!` and a force unwrap. The comment is a `//` one; in
/// front of a declaration a documentation comment will do when it speaks of threads, locks or `Sendable`.
public struct ProvenEscape: Rule {
    /// What the rule is called in a report.
    public static let name = "proven-escape"

    /// The rule.
    public init() {}

    /// The escapes of `file` that no comment proves.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        let visitor = EscapeVisitor(file: file)
        visitor.walk(file.tree)
        return visitor.violations
    }
}

private final class EscapeVisitor: SyntaxVisitor {
    let file: SourceFile
    var violations: [Violation] = []

    init(file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: AttributedTypeSyntax) -> SyntaxVisitorContinueKind {
        let isUnchecked = node.attributes.contains { attribute in
            attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "unchecked"
        }
        if isUnchecked { check(node, "@unchecked Sendable") }
        return .visitChildren
    }

    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
        if node.name.tokenKind == .keyword(.nonisolated), node.detail?.detail.text == "unsafe" {
            check(node, "nonisolated(unsafe)")
        }
        return .visitChildren
    }

    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
        if let mark = node.questionOrExclamationMark, mark.tokenKind == .exclamationMark { check(mark, "try!") }
        return .visitChildren
    }

    override func visit(_ node: UnresolvedAsExprSyntax) -> SyntaxVisitorContinueKind {
        if let mark = node.questionOrExclamationMark, mark.tokenKind == .exclamationMark { check(mark, "as!") }
        return .visitChildren
    }

    override func visit(_ node: ForceUnwrapExprSyntax) -> SyntaxVisitorContinueKind {
        check(node.exclamationMark, "a force unwrap")
        return .visitChildren
    }

    override func visit(_ node: ImplicitlyUnwrappedOptionalTypeSyntax) -> SyntaxVisitorContinueKind {
        check(node.exclamationMark, "an implicitly unwrapped optional")
        return .visitChildren
    }

    private func check(_ node: some SyntaxProtocol, _ what: String) {
        let line = file.line(of: node)
        if comments.contains(line) || comments.contains(line - 1) { return }
        let message = "\(what) needs a comment that proves it, on this line or the one before"
        violations.append(file.violation(ProvenEscape.name, at: node, message))
    }

    /// The lines that hold a comment which can prove something.
    private lazy var comments: Set<Int> = {
        var lines: Set<Int> = []
        for comment in file.comments {
            switch comment.kind {
            case .ordinary: lines.insert(comment.line)
            case .documentation:
                let words = ["thread", "lock", "Sendable", "queue", "mutex", "Mutex"]
                if words.contains(where: comment.text.contains) { lines.insert(comment.declarationLine - 1) }
            }
        }
        return lines
    }()
}
