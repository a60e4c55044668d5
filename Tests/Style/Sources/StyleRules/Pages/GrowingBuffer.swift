import SwiftSyntax

/// A place that stores more and more unless something stops it: a stored collection that begins empty, or a stream without
/// a limit of its own.
struct GrowingBuffer {
    let path: String
    let line: Int
    /// The property's name, or `makeStream` for a stream.
    let name: String

    /// The places in a file.
    static func all(in file: SourceFile) -> [GrowingBuffer] {
        let collector = BufferCollector(file)
        collector.walk(file.tree)
        return collector.buffers
    }
}

private final class BufferCollector: SyntaxVisitor {
    private let file: SourceFile
    private(set) var buffers: [GrowingBuffer] = []

    init(_ file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: MemberBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard let variable = node.decl.as(VariableDeclSyntax.self) else { return .visitChildren }
        let isStatic = variable.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
        for binding in variable.bindings where !isStatic {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText,
                let value = binding.initializer?.value
            else { continue }
            let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
            if isVariable && isEmptyCollection(value) || isLockedCollection(value) { add(name, at: node) }
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let called = node.calledExpression.trimmedDescription
        let isStream = called.hasPrefix("AsyncStream") || called.hasPrefix("AsyncThrowingStream")
        if isStream, !node.arguments.contains(where: { $0.label?.text == "bufferingPolicy" }) {
            add("makeStream", at: node)
        }
        return .visitChildren
    }

    private func isEmptyCollection(_ value: ExprSyntax) -> Bool {
        if let array = value.as(ArrayExprSyntax.self) { return array.elements.isEmpty }
        guard let dictionary = value.as(DictionaryExprSyntax.self) else { return false }
        if case .colon = dictionary.content { return true }
        return false
    }

    /// Whether the value is a lock around an empty collection.
    private func isLockedCollection(_ value: ExprSyntax) -> Bool {
        guard let call = value.as(FunctionCallExprSyntax.self), let first = call.arguments.first else { return false }
        let called = call.calledExpression.trimmedDescription
        return (called.hasPrefix("Mutex") || called.hasPrefix("WaitableState")) && isEmptyCollection(first.expression)
    }

    private func add(_ name: String, at node: some SyntaxProtocol) {
        buffers.append(GrowingBuffer(path: file.path, line: file.line(of: node), name: name))
    }
}
