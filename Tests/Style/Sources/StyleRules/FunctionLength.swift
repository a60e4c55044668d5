import SwiftSyntax

/// A function whose body is longer than this does more than one thing.
public struct FunctionLength: Rule {
    /// What the rule is called in a report.
    public static let name = "function-length"
    /// The most lines between the braces of a function, an initialiser, a deinitialiser or an accessor; a getter that
    /// holds one literal, a table, may have more.
    static let limit = 60

    /// The rule.
    public init() {}

    /// The functions of `file` that are too long.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        let visitor = FunctionVisitor(file: file)
        visitor.walk(file.tree)
        return visitor.violations
    }
}

private final class FunctionVisitor: SyntaxVisitor {
    let file: SourceFile
    var violations: [Violation] = []

    init(file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        check(node.body, of: "'\(node.name.text)'", at: node.funcKeyword)
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        check(node.body, of: "the initialiser", at: node.initKeyword)
    }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        check(node.body, of: "the deinitialiser", at: node.deinitKeyword)
    }

    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind {
        guard case .getter(let statements) = node.accessors else { return .visitChildren }
        if isTable(statements) { return .visitChildren }
        return check(node, of: "the getter", at: node.leftBrace)
    }

    override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
        if let body = node.body, isTable(body.statements) { return .visitChildren }
        return check(node.body, of: "the accessor", at: node.accessorSpecifier)
    }

    /// Whether there is one literal and nothing else: a table is no sequence of steps.
    private func isTable(_ statements: CodeBlockItemListSyntax) -> Bool {
        guard statements.count == 1, let only = statements.first?.item else { return false }
        return only.is(StringLiteralExprSyntax.self) || only.is(ArrayExprSyntax.self) || only.is(TupleExprSyntax.self)
            || only.is(DictionaryExprSyntax.self)
    }

    private func check(
        _ body: (some SyntaxProtocol)?, of name: String, at place: TokenSyntax
    ) -> SyntaxVisitorContinueKind {
        guard let body else { return .visitChildren }
        let count = file.lastLine(of: body) - file.line(of: body) - 1
        if count > FunctionLength.limit {
            let message = "the body of \(name) has \(count) lines, more than \(FunctionLength.limit)"
            violations.append(file.violation(FunctionLength.name, at: place, message))
        }
        return .visitChildren
    }
}
