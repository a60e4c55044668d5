/// A place that breaks a rule.
public struct Violation: Equatable, Comparable, CustomStringConvertible {
    /// The file, from the repository's top.
    public let path: String
    /// The line, counted from 1.
    public let line: Int
    /// The rule's name.
    public let rule: String
    /// What is wrong there, and what to do instead.
    public let message: String

    /// `path:line: rule: message`.
    public var description: String { "\(path):\(line): \(rule): \(message)" }

    /// By path, then by line, then by text.
    public static func < (left: Violation, right: Violation) -> Bool {
        (left.path, left.line, left.description) < (right.path, right.line, right.description)
    }
}
