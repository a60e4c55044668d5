import SwiftSyntax

/// A switch over an enum of ours names every case, so that a new case is an error where it has not been thought of.
///
/// Types are not known here, so this is a guess from names: a switch with a catch-all (`default`, `@unknown default`,
/// `case _`, `case let other`) is one over an enum of ours when, at one place of its patterns,
///
/// - a pattern, or the value itself, names the type: `case Screen.face`, `switch Screen(rawValue: number)`, and an enum of
///   ours is called `Screen`; or
/// - one enum of ours has all the names that the patterns use there: `.face`, `.list(let state)`.
///
/// It is none when the value names another type, when one of our structs has all the names as static properties (a raw
/// value with names), when a test's own enum has them, when the names are those of the standard library's `Optional` or `Result`, or when the patterns hold
/// a literal or a range anywhere, for which there are always more values. Where the guess is wrong, the line of
/// the `default` says so: `default:  // style: foreign enum`.
public struct NoDefaultOverOwnEnum: Rule {
    /// What the rule is called in a report.
    public static let name = "no-default"

    /// The rule.
    public init() {}

    /// The switches of `file` that have a catch-all over one of our enums.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        let visitor = SwitchVisitor(file: file, project: project)
        visitor.walk(file.tree)
        return visitor.violations
    }
}

/// The names that the patterns of a switch use at one place: the whole value, or an element of a tuple.
private struct NamesAtPlace {
    var implicit: Set<String> = []
    var types: Set<String> = []
    /// Literals and ranges: values of a type that no list of names exhausts.
    var values = 0
}

private final class SwitchVisitor: SyntaxVisitor {
    let file: SourceFile
    let project: Project
    var violations: [Violation] = []

    init(file: SourceFile, project: Project) {
        self.file = file
        self.project = project
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
        guard let catchAll = cases.first(where: isCatchAll), !isAllowed(catchAll) else { return .visitChildren }
        var places: [Int: NamesAtPlace] = [:]
        for label in cases.compactMap({ $0.label.as(SwitchCaseLabelSyntax.self) }) {
            for item in label.caseItems { gather(item.pattern, at: 0, into: &places) }
        }
        if let type = calledType(node.subject) { places[0, default: NamesAtPlace()].types = [type] }
        if places.values.contains(where: { $0.values > 0 }) { return .visitChildren }
        for place in places.values {
            if let own = ownEnum(for: place) {
                let message = "a catch-all over our enum '\(own)'; name every case"
                violations.append(file.violation(NoDefaultOverOwnEnum.name, at: catchAll.label, message))
                break
            }
        }
        return .visitChildren
    }

    private func isCatchAll(_ node: SwitchCaseSyntax) -> Bool {
        switch node.label {
        case .default: true
        case .case(let label):
            label.caseItems.contains { $0.whereClause == nil && matchesEverything($0.pattern) }
        }
    }

    /// The type in `switch Type(...)`.
    private func calledType(_ subject: ExprSyntax) -> String? {
        let called = subject.as(FunctionCallExprSyntax.self)?.calledExpression
        let name = called?.as(MemberAccessExprSyntax.self)?.declName ?? called?.as(DeclReferenceExprSyntax.self)
        guard let text = name?.baseName.identifierText, text.first?.isUppercase == true else { return nil }
        return text
    }

    private func isAllowed(_ node: SwitchCaseSyntax) -> Bool {
        let line = file.line(of: node.label)
        return file.lines[line - 1].contains("// style: foreign enum")
    }

    private func ownEnum(for place: NamesAtPlace) -> String? {
        if let named = project.enums.first(where: { place.types.contains($0.name) }) { return named.name }
        let names = place.implicit
        if !place.types.isEmpty || project.namedValues.values.contains(where: names.isSubset) { return nil }
        if names.isEmpty || names.isSubset(of: ["some", "none"]) || names.isSubset(of: ["success", "failure"]) {
            return nil
        }
        if file.path.hasPrefix("Tests/"), project.testEnums.contains(where: { names.isSubset(of: $0.cases) }) {
            return nil
        }
        return project.enums.first { names.isSubset(of: $0.cases) }?.name
    }
}

/// Whether a pattern takes any value: `_`, `let x`, and tuples of such.
private func matchesEverything(_ pattern: PatternSyntax) -> Bool {
    if pattern.is(WildcardPatternSyntax.self) || pattern.is(IdentifierPatternSyntax.self) { return true }
    if let binding = pattern.as(ValueBindingPatternSyntax.self) { return matchesEverything(binding.pattern) }
    if let tuple = pattern.as(TuplePatternSyntax.self) {
        return tuple.elements.allSatisfy { matchesEverything($0.pattern) }
    }
    guard let expression = pattern.as(ExpressionPatternSyntax.self)?.expression else { return false }
    return matchesEverything(expression)
}

private func matchesEverything(_ expression: ExprSyntax) -> Bool {
    if expression.is(DiscardAssignmentExprSyntax.self) { return true }
    if let inner = expression.as(PatternExprSyntax.self) { return matchesEverything(inner.pattern) }
    if let tuple = expression.as(TupleExprSyntax.self) {
        return tuple.elements.allSatisfy { matchesEverything($0.expression) }
    }
    return false
}

/// Adds the case names of a pattern; the elements of a tuple are the places 1, 2, and so on.
private func gather(_ pattern: PatternSyntax, at place: Int, into places: inout [Int: NamesAtPlace]) {
    if let binding = pattern.as(ValueBindingPatternSyntax.self) {
        gather(binding.pattern, at: place, into: &places)
    } else if let tuple = pattern.as(TuplePatternSyntax.self) {
        for (index, element) in tuple.elements.enumerated() {
            gather(element.pattern, at: place * 8 + index + 1, into: &places)
        }
    } else if let expression = pattern.as(ExpressionPatternSyntax.self)?.expression {
        gather(expression, at: place, into: &places)
    }
}

private func gather(_ expression: ExprSyntax, at place: Int, into places: inout [Int: NamesAtPlace]) {
    if let call = expression.as(FunctionCallExprSyntax.self) {
        gather(call.calledExpression, at: place, into: &places)
    } else if let optional = expression.as(OptionalChainingExprSyntax.self) {
        gather(optional.expression, at: place, into: &places)
    } else if let inner = expression.as(PatternExprSyntax.self) {
        gather(inner.pattern, at: place, into: &places)
    } else if let tuple = expression.as(TupleExprSyntax.self) {
        for (index, element) in tuple.elements.enumerated() {
            gather(element.expression, at: place * 8 + index + 1, into: &places)
        }
    } else if let member = expression.as(MemberAccessExprSyntax.self) {
        let name = member.declName.baseName.identifierText
        if let base = member.base {
            let type =
                base.as(MemberAccessExprSyntax.self)?.declName.baseName ?? base.lastToken(viewMode: .sourceAccurate)
            if let type { places[place, default: NamesAtPlace()].types.insert(type.identifierText) }
        } else {
            places[place, default: NamesAtPlace()].implicit.insert(name)
        }
    } else if !matchesEverything(expression), !expression.is(NilLiteralExprSyntax.self) {
        places[place, default: NamesAtPlace()].values += 1
    }
}
