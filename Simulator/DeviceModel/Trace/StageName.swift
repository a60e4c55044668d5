import HostSystem

/// A stage's own name as reports show it: whoever writes a stage may put anything into it.
package enum StageName {
    /// The name as a line without control characters; a name for a stage whose own is empty.
    package static func plain(_ raw: String) -> String {
        let line = PlainLine(raw, limit: 63).text
        return line.allSatisfy(\.isWhitespace) ? "stage without a name" : line
    }
}

extension StaticString {
    /// As a stage's name.
    package var stageName: String { StageName.plain(description) }
}
