/// On which lines of a TOML file its keys are, which the parser tells only of what it cannot parse.
struct KeyLines {
    private var lines: [String: Int] = [:]
    /// The last line with a key or a table.
    private(set) var last = 1

    /// Adds a key or a table.
    ///
    /// - Parameters:
    ///   - path: its parts, as they are written.
    ///   - line: the line, from 1.
    mutating func add(_ path: [String], line: Int) {
        lines[path.joined(separator: ".")] = line
        last = line
    }

    /// The line of a key, `table.key`, or of its table, or the last one.
    func line(of key: String) -> Int {
        if let line = lines[key] { return line }
        guard let dot = key.lastIndex(of: ".") else { return last }
        return line(of: String(key[..<dot]))
    }
}
