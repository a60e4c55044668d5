/// On which lines of a TOML file its keys are, which the parser tells only of what it cannot parse.
///
/// It knows tables in brackets and keys at the beginning of a line. Of a key within braces it knows the line of the table.
struct KeyLines {
    private var lines: [String: Int] = [:]
    /// The last line with anything on it.
    private(set) var last = 1

    init(_ text: String) {
        var table = ""
        for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = raw.drop { $0 == " " || $0 == "\t" }
            guard let first = line.first, first != "#", first != "\r" else { continue }
            last = index + 1
            if first == "[" {
                table = KeyLines.name(line.dropFirst().prefix { $0 != "]" })
                lines[table] = index + 1
            } else if let equals = line.firstIndex(of: "=") {
                let key = KeyLines.name(line[..<equals])
                lines[table.isEmpty ? key : "\(table).\(key)"] = index + 1
            }
        }
    }

    /// The line of a key, `table.key`, or of its table, or the last one.
    func line(of key: String) -> Int {
        if let line = lines[key] { return line }
        guard let dot = key.lastIndex(of: ".") else { return last }
        return line(of: String(key[..<dot]))
    }

    /// A key as it is looked up: without spaces and quotation marks.
    private static func name(_ text: Substring) -> String {
        String(text.filter { !" \t\"'".contains($0) })
    }
}
