/// A type that a module offers to others has a name of its own: no other module offers one of the same name.
public struct OneNameOneType: Rule {
    /// What the rule is called in a report.
    public static let name = "one-name-one-type"

    /// The names that two modules may share, each with the reason.
    let exceptions: [String: String]

    /// The rule with exceptions of its own, for a test.
    init(exceptions: [String: String]) { self.exceptions = exceptions }

    /// Tapline's rule. The list of exceptions only gets shorter.
    public static let tapline = OneNameOneType(exceptions: [
        "PairingAnswer": "the watch and the phone each answer a pairing question, and no file sees both"
    ])

    /// The types of `file` whose names another module also gives to a type.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        guard let module = Place(path: file.path)?.module else { return [] }
        return project.offeredTypes.values.flatMap { $0 }.filter { $0.path == file.path }.compactMap { type in
            if exceptions[type.name] != nil { return nil }
            let others = (project.offeredTypes[type.name] ?? []).filter { Place(path: $0.path)?.module != module }
            guard let other = others.map(\.path).min() else { return nil }
            let message = "'\(type.name)' is also a type of \(other); one of the two needs another name"
            return Violation(path: type.path, line: type.line, rule: name, message: message)
        }
    }

    /// The exceptions that are no longer needed.
    public func violations(of project: Project) -> [Violation] {
        exceptions.keys.sorted().compactMap { exception in
            let modules = Set((project.offeredTypes[exception] ?? []).compactMap { Place(path: $0.path)?.module })
            // Files that are not the whole repository, as in a test, may have none.
            if modules.count != 1 { return nil }
            let message = "'\(exception)' names one type now; take the exception off the list"
            return Violation(path: modules.first ?? "", line: 1, rule: name, message: message)
        }
    }
}
