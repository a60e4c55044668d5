import SwiftSyntax

/// What one file declares, what it refers to, and which names in it are its own variables.
struct FileNames {
    let path: String
    /// The file's module and folder; nil for a test.
    let place: Place?
    let declarations: [Declaration]
    let references: [Reference]
    /// Parameters, local variables and local functions: where one of these names stands alone, it means them.
    let locals: Set<String>
    /// Generic parameters.
    let typeParameters: Set<String>
    /// What each type of the file inherits from or conforms to, as written: `("Row.Mark", "Equatable")`.
    let inheritance: [(type: String, from: String)]

    /// Gathers the names of `file`.
    init(_ file: SourceFile) {
        let visitor = NameVisitor(file: file)
        visitor.walk(file.tree)
        path = file.path
        place = Place(path: file.path)
        declarations = visitor.declarations
        references = visitor.references
        locals = visitor.locals
        typeParameters = visitor.typeParameters
        inheritance = visitor.inheritance
    }
}

private final class NameVisitor: SyntaxVisitor {
    /// What is around the syntax being visited.
    private enum Scope {
        case type(String)
        case addition(to: String)
        case code
    }

    /// Attributes that say nothing about who uses a declaration.
    private static let plainAttributes: Set<String> = [
        "MainActor", "Sendable", "_lifetime", "discardableResult", "frozen", "inlinable", "inline", "lifetime",
        "unchecked", "usableFromInline",
    ]

    private let file: SourceFile
    private var scopes: [Scope] = []
    var declarations: [Declaration] = []
    var references: [Reference] = []
    var locals: Set<String> = []
    var typeParameters: Set<String> = []
    var inheritance: [(type: String, from: String)] = []

    init(file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Scopes

    private var isInCode: Bool {
        switch scopes.last {
        case .code: true
        case .type, .addition, nil: false
        }
    }

    private var typeNames: [String] {
        scopes.compactMap { scope in
            switch scope {
            case .type(let name), .addition(let name): name
            case .code: nil
            }
        }
    }

    private func home() -> Declaration.Home {
        switch scopes.last {
        case .type(let name): .body(of: name)
        case .addition(let name): .addition(to: name)
        case .code, nil: .top
        }
    }

    private func enter(
        type name: TokenSyntax, _ node: some DeclGroupSyntax & WithAttributesSyntax
    ) -> SyntaxVisitorContinueKind {
        declare(name.identifierText, .type, node, node.modifiers, node.attributes)
        let full = (typeNames.last.map { $0 + "." } ?? "") + name.identifierText
        for inherited in node.inheritanceClause?.inheritedTypes ?? [] {
            inheritance.append((full, inherited.type.trimmedDescription))
        }
        scopes.append(.type(full))
        return .visitChildren
    }

    private func enterCode() -> SyntaxVisitorContinueKind {
        scopes.append(.code)
        return .visitChildren
    }

    private func leave() { scopes.removeLast() }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(type: node.name, node) }
    override func visitPost(_ node: StructDeclSyntax) { leave() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(type: node.name, node) }
    override func visitPost(_ node: EnumDeclSyntax) { leave() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(type: node.name, node) }
    override func visitPost(_ node: ClassDeclSyntax) { leave() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(type: node.name, node) }
    override func visitPost(_ node: ActorDeclSyntax) { leave() }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { enter(type: node.name, node) }
    override func visitPost(_ node: ProtocolDeclSyntax) { leave() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.extendedType.trimmedDescription
        for inherited in node.inheritanceClause?.inheritedTypes ?? [] {
            inheritance.append((name, inherited.type.trimmedDescription))
        }
        // What stands before the brace is outside the extension.
        walk(node.attributes)
        walk(node.extendedType)
        if let clause = node.inheritanceClause { walk(clause) }
        if let clause = node.genericWhereClause { walk(clause) }
        scopes.append(.addition(to: name))
        walk(node.memberBlock)
        leave()
        return .skipChildren
    }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enterCode() }
    override func visitPost(_ node: CodeBlockSyntax) { leave() }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enterCode() }
    override func visitPost(_ node: AccessorBlockSyntax) { leave() }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterCode() }
    override func visitPost(_ node: ClosureExprSyntax) { leave() }

    // MARK: Declarations

    private func declare(
        _ name: String, _ kind: Declaration.Kind, _ node: some SyntaxProtocol, _ modifiers: DeclModifierListSyntax,
        _ attributes: AttributeListSyntax
    ) {
        guard !isInCode else {
            locals.insert(name)
            return
        }
        var reach = Declaration.Reach.module
        var marks: Set<Declaration.Mark> = []
        for modifier in modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.private), .keyword(.fileprivate):
                if modifier.detail == nil { reach = .file }
            case .keyword(.public), .keyword(.package), .keyword(.open): reach = .beyondModule
            case .keyword(.override): marks.insert(.override)
            default: break  // style: foreign enum
            }
        }
        for attribute in attributes.compactMap({ $0.as(AttributeSyntax.self) }) {
            let attributeName = attribute.attributeName.trimmedDescription
            if !NameVisitor.plainAttributes.contains(attributeName) { marks.insert(.attributed) }
        }
        let begin = node.positionAfterSkippingLeadingTrivia.utf8Offset
        declarations.append(
            Declaration(
                name: name, kind: kind, home: home(), reach: reach, path: file.path, line: file.line(of: node),
                extent: begin..<max(begin, node.endPositionBeforeTrailingTrivia.utf8Offset), marks: marks))
    }

    private func labels(_ parameters: FunctionParameterListSyntax) -> [String] {
        parameters.map { $0.firstName.identifierText }
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let kind = Declaration.Kind.function(labels: labels(node.signature.parameterClause.parameters))
        declare(node.name.identifierText, kind, node, node.modifiers, node.attributes)
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        let kind = Declaration.Kind.initializer(labels: labels(node.signature.parameterClause.parameters))
        declare("init", kind, node, node.modifiers, node.attributes)
        return .visitChildren
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        declare(node.name.identifierText, .type, node, node.modifiers, node.attributes)
        return .visitChildren
    }

    override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
        declare(node.name.identifierText, .type, node, node.modifiers, node.attributes)
        return .visitChildren
    }

    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
        for element in node.elements {
            declare(element.name.identifierText, .enumCase, element, node.modifiers, node.attributes)
        }
        return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard !isInCode else { return .visitChildren }
        for binding in node.bindings {
            let names = PatternNames(viewMode: .sourceAccurate)
            names.walk(binding.pattern)
            for name in names.names { declare(name, .property, node, node.modifiers, node.attributes) }
        }
        return .visitChildren
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        if isInCode { locals.insert(node.identifier.identifierText) }
        return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        locals.insert((node.secondName ?? node.firstName).identifierText)
        return .visitChildren
    }

    override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
        locals.insert((node.secondName ?? node.firstName).identifierText)
        return .visitChildren
    }

    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
        locals.insert(node.name.identifierText)
        return .visitChildren
    }

    override func visit(_ node: GenericParameterSyntax) -> SyntaxVisitorContinueKind {
        typeParameters.insert(node.name.identifierText)
        return .visitChildren
    }

    // MARK: References

    private func refer(_ token: TokenSyntax, _ form: Reference.Form) {
        references.append(
            Reference(
                name: token.identifierText, form: form, scope: typeNames, line: file.line(of: token),
                position: token.positionAfterSkippingLeadingTrivia.utf8Offset))
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        refer(node.name, .type)
        return .visitChildren
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        refer(node.name, .nestedType(of: node.baseType.trimmedDescription))
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if let access = node.parent?.as(MemberAccessExprSyntax.self), access.declName.id == node.id {
            let base = access.base?.trimmedDescription
            let isPlain = base?.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." } ?? false
            refer(
                node.baseName,
                .member(of: isPlain ? base : nil, labels: labels(of: node) ?? callLabels(of: Syntax(access))))
        } else if node.parent?.is(KeyPathPropertyComponentSyntax.self) == true {
            refer(node.baseName, .member(of: nil, labels: labels(of: node)))
        } else {
            refer(node.baseName, .bare(labels: labels(of: node) ?? callLabels(of: Syntax(node))))
        }
        return .visitChildren
    }

    private func labels(of node: DeclReferenceExprSyntax) -> [String]? {
        node.argumentNames?.arguments.map { $0.name.identifierText }
    }

    /// The labels of the call whose function is `callee`; nil where it is not called.
    private func callLabels(of callee: Syntax) -> [String]? {
        guard let call = callee.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == callee.id else {
            return nil
        }
        return call.arguments.map { $0.label?.identifierText ?? "_" }
    }
}

private final class PatternNames: SyntaxVisitor {
    var names: [String] = []

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        names.append(node.identifier.identifierText)
        return .visitChildren
    }
}
