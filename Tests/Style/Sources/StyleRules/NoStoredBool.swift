import SwiftSyntax

/// State is an enum with the values that only that state has; a stored `Bool` is two states without a name.
///
/// It looks at stored properties, globals and enum payloads, also inside optionals, collections and boxes. A property
/// without a written type counts when its first value is plainly a `Bool`. Functions that take or return one are fine, and
/// so are locals, parameters and computed properties. The flags of a command line are ArgumentParser's to store.
public struct NoStoredBool: Rule {
    /// What the rule is called in a report.
    public static let name = "no-stored-bool"

    /// The rule.
    public init() {}

    /// The stored `Bool`s of `file`.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        if file.path.hasPrefix("Tests/") { return [] }
        let visitor = StoredBoolVisitor(file: file)
        visitor.walk(file.tree)
        return visitor.violations
    }
}

private final class StoredBoolVisitor: SyntaxVisitor {
    let file: SourceFile
    var violations: [Violation] = []

    init(file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard isStoredState(node), !isCommandLineOption(node) else { return .visitChildren }
        for binding in node.bindings where isStored(binding) {
            let holdsBool: Bool
            if let type = binding.typeAnnotation?.type {
                holdsBool = containsBool(type)
            } else if let value = binding.initializer?.value {
                holdsBool = isPlainlyBool(value)
            } else {
                holdsBool = false
            }
            guard holdsBool else { continue }
            let name = binding.pattern.trimmedDescription
            violations.append(
                file.violation(
                    NoStoredBool.name, at: binding, "'\(name)' stores a Bool; name the states in an enum instead"))
        }
        return .visitChildren
    }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        for parameter in node.parameterClause?.parameters ?? [] where containsBool(parameter.type) {
            violations.append(
                file.violation(
                    NoStoredBool.name, at: parameter,
                    "the payload of '\(node.name.text)' is a Bool; make it two cases, or an enum of its own"))
        }
        return .visitChildren
    }

    /// Whether the declaration is a member or a global, not a local and not a requirement of a protocol.
    private func isStoredState(_ node: VariableDeclSyntax) -> Bool {
        var ancestor = node.parent
        while let current = ancestor {
            if current.is(MemberBlockSyntax.self) { return current.parent?.is(ProtocolDeclSyntax.self) != true }
            if current.is(CodeBlockSyntax.self) || current.is(ClosureExprSyntax.self)
                || current.is(AccessorBlockSyntax.self) || current.is(SwitchCaseSyntax.self)
            {
                return false
            }
            ancestor = current.parent
        }
        return true
    }

    /// A computed binding has a getter; `willSet` and `didSet` watch a stored one.
    private func isStored(_ binding: PatternBindingSyntax) -> Bool {
        guard let block = binding.accessorBlock else { return true }
        guard case .accessors(let accessors) = block.accessors else { return false }
        return accessors.allSatisfy {
            $0.accessorSpecifier.tokenKind == .keyword(.willSet) || $0.accessorSpecifier.tokenKind == .keyword(.didSet)
        }
    }

    private func isCommandLineOption(_ node: VariableDeclSyntax) -> Bool {
        guard file.path.hasPrefix("Sources/tapline/") else { return false }
        return node.attributes.contains { attribute in
            let name = attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription
            return name == "Flag" || name == "Option" || name == "Argument"
        }
    }
}

/// Whether a value of this type holds a `Bool`; a function that takes or returns one does not.
private func containsBool(_ type: TypeSyntax) -> Bool {
    if type.is(FunctionTypeSyntax.self) { return false }
    if let name = type.as(IdentifierTypeSyntax.self), name.name.text == "Bool" { return true }
    if let member = type.as(MemberTypeSyntax.self), member.name.text == "Bool" { return true }
    return type.children(viewMode: .sourceAccurate).contains(where: containsBoolBelow)
}

private func containsBoolBelow(_ node: Syntax) -> Bool {
    if let type = node.as(TypeSyntax.self) { return containsBool(type) }
    return node.children(viewMode: .sourceAccurate).contains(where: containsBoolBelow)
}

/// Whether the form of an expression says that it is a `Bool`.
private func isPlainlyBool(_ value: ExprSyntax) -> Bool {
    if value.is(BooleanLiteralExprSyntax.self) { return true }
    if let prefixed = value.as(PrefixOperatorExprSyntax.self) { return prefixed.operator.text == "!" }
    if let call = value.as(FunctionCallExprSyntax.self) { return containsBoolArgument(call) }
    guard let sequence = value.as(SequenceExprSyntax.self) else { return false }
    let operators = sequence.elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
    let isChoice = sequence.elements.contains { $0.is(UnresolvedTernaryExprSyntax.self) }
    return !isChoice
        && operators.contains { ["==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!=="].contains($0) }
}

/// `Bool(x)`, and a box around a literal: `Mutex(false)`.
private func containsBoolArgument(_ call: FunctionCallExprSyntax) -> Bool {
    if call.calledExpression.trimmedDescription == "Bool" { return true }
    guard call.calledExpression.trimmedDescription.first?.isUppercase == true, call.arguments.count == 1,
        let only = call.arguments.first, only.label == nil
    else { return false }
    return only.expression.is(BooleanLiteralExprSyntax.self)
}
