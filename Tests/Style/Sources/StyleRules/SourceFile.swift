import SwiftParser
import SwiftSyntax

/// One Swift file, parsed.
public struct SourceFile {
    /// The path from the repository's top, with `/` between the parts: `Sources/WatchLink/Instant.swift`.
    public let path: String
    let tree: SourceFileSyntax
    let locations: SourceLocationConverter
    let lines: [Substring]

    /// Parses `text`, which stands at `path`.
    public init(path: String, text: String) {
        self.path = path
        tree = Parser.parse(source: text)
        locations = SourceLocationConverter(fileName: path, tree: tree)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
    }

    /// The line, counted from 1, on which `node` begins.
    func line(of node: some SyntaxProtocol) -> Int {
        locations.location(for: node.positionAfterSkippingLeadingTrivia).line
    }

    /// The line, counted from 1, on which `node` ends.
    func lastLine(of node: some SyntaxProtocol) -> Int {
        locations.location(for: node.endPositionBeforeTrailingTrivia).line
    }

    /// A violation of `rule` at `node`.
    func violation(_ rule: String, at node: some SyntaxProtocol, _ message: String) -> Violation {
        Violation(path: path, line: line(of: node), rule: rule, message: message)
    }
}
