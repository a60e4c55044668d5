import Testing

/// An example frame of PROTOCOL.md.
struct ProtocolExample: CustomTestStringConvertible {
    let title: String
    let frame: [UInt8]

    var testDescription: String { title }

    /// Every example of the document in a block of this language, in order.
    static func all(in language: String = "hex") throws -> [ProtocolExample] {
        let lines = try Repository.text("Sources/WatchLink/PROTOCOL.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        var examples: [ProtocolExample] = []
        var title: String?
        var index = lines.startIndex
        while index < lines.endIndex {
            if lines[index].hasPrefix("Example: ") { title = String(lines[index].dropFirst("Example: ".count)) }
            if lines[index] == "```\(language)" {
                let end = try #require(lines[(index + 1)...].firstIndex(of: "```"), "a block that does not end")
                let digits = lines[(index + 1)..<end].joined()
                let named = try #require(title, "line \(index + 1): a block without a line that names it")
                examples.append(ProtocolExample(title: named, frame: try #require(bytes(hex: digits))))
                title = nil
                index = end
            }
            index += 1
        }
        return examples
    }

    static func named(_ title: String) throws -> [UInt8] {
        try #require(try all().first { $0.title == title }, "PROTOCOL.md has no example \(title)").frame
    }
}
