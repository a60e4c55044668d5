import SwiftSyntax

/// What the watch and its link are written in: no heap, no `async`, no existential, no untyped error.
///
/// The compiler checks code that the firmware uses; this checks generic code that nothing uses yet, too.
public struct EmbeddedSubset: Rule {
    /// What the rule is called in a report.
    public static let name = "embedded-subset"
    /// The folders that the firmware compiles.
    static let folders = ["Hardware/Watch/", "Sources/WatchLink/"]
    /// Types that allocate.
    static let heapTypes: Set<String> = [
        "AnyObject", "Array", "ArraySlice", "Character", "Codable", "ContiguousArray", "Decodable", "Dictionary",
        "Encodable", "ManagedBuffer", "Set", "String", "Substring",
    ]

    /// The rule.
    public init() {}

    /// What `file` uses that the watch does not have.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        guard EmbeddedSubset.folders.contains(where: file.path.hasPrefix) else { return [] }
        let visitor = SubsetVisitor(file: file)
        visitor.walk(file.tree)
        return visitor.violations
    }
}

private final class SubsetVisitor: SyntaxVisitor {
    let file: SourceFile
    var violations: [Violation] = []

    init(file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    private func report(_ node: some SyntaxProtocol, _ message: String) -> SyntaxVisitorContinueKind {
        violations.append(file.violation(EmbeddedSubset.name, at: node, message))
        return .visitChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        report(node.classKeyword, "a class lives on the heap")
    }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        report(node.actorKeyword, "an actor lives on the heap")
    }

    override func visit(_ node: SomeOrAnyTypeSyntax) -> SyntaxVisitorContinueKind {
        guard node.someOrAnySpecifier.tokenKind == .keyword(.any) else { return .visitChildren }
        return report(node, "an existential; be generic over the protocol instead")
    }

    override func visit(_ node: ThrowsClauseSyntax) -> SyntaxVisitorContinueKind {
        guard node.type == nil else { return .visitChildren }
        return report(node, "an untyped error is an existential; write throws(SomeError), or be generic over the error")
    }

    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
        report(node, "a key path lives on the heap")
    }

    override func visit(_ node: ArrayTypeSyntax) -> SyntaxVisitorContinueKind {
        report(node, "an Array lives on the heap; use FixedArray or InlineArray")
    }

    override func visit(_ node: DictionaryTypeSyntax) -> SyntaxVisitorContinueKind {
        report(node, "a Dictionary lives on the heap")
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        guard EmbeddedSubset.heapTypes.contains(node.name.text) else { return .visitChildren }
        return report(node, "\(node.name.text) needs a heap")
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        guard EmbeddedSubset.heapTypes.contains(node.baseName.text) else { return .visitChildren }
        return report(node, "\(node.baseName.text) needs a heap")
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        switch token.tokenKind {
        case .keyword(.async), .keyword(.await): report(token, "the watch has a run loop, not tasks")
        case .keyword(.indirect): report(token, "an indirect case lives on the heap")
        default: .visitChildren  // style: foreign enum
        }
    }
}
