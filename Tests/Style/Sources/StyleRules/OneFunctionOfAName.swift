/// A script has one function of a name: of two, the shell runs the second, and the first, which may be a test, is silently gone.
public struct OneFunctionOfAName: Rule {
    /// What the rule is called in a report.
    public static let name = "one-function-of-a-name"

    /// The rule.
    public init() {}

    /// Nothing: the rule is for scripts.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] { [] }

    /// The functions of each script that have the name of an earlier one.
    public func violations(of project: Project) -> [Violation] {
        project.scripts.flatMap { script in
            var first: [Substring: Int] = [:]
            return script.functions.compactMap { function -> Violation? in
                guard let earlier = first[function.name] else {
                    first[function.name] = function.line
                    return nil
                }
                let message = "\(function.name) is a function at line \(earlier) already; the shell forgets that one"
                return Violation(path: script.path, line: function.line, rule: name, message: message)
            }
        }
    }
}
