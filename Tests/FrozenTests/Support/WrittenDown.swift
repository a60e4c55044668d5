/// What was written down by hand when a file was frozen: lines `key: value`, where a key that comes again adds a value.
struct WrittenDown {
    private var values: [String: [String]] = [:]

    init(_ text: String) throws {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let colon = line.firstIndex(of: ":") else { throw FrozenFileError.unreadable(line: String(line)) }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            values[String(line[..<colon]), default: []].append(String(value))
        }
    }

    /// The values of a key in their order; none where it does not occur.
    subscript(key: String) -> [String] { values[key] ?? [] }

    /// The only value of a key, nil where it does not occur.
    func single(_ key: String) -> String? { self[key].first }
}
