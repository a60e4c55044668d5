/// Takes a line apart, word by word from the left.
struct ScriptWords {
    /// What has not been taken, without white space around it.
    private(set) var rest: Substring

    init(_ line: String) {
        rest = ScriptWords.trimmed(ScriptWords.beforeComment(line))
    }

    /// What stands before the comment: before a first word that begins with `#`, or a `#` that is a word by itself and not in double
    /// quotes. A text may begin with one: `expect row 1 #2 pencils`.
    private static func beforeComment(_ line: String) -> Substring {
        var quotes = 0
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if character == "\"" { quotes += 1 }
            if character == "#", previous.isWhitespace, quotes.isMultiple(of: 2) {
                let isFirst = line[..<index].allSatisfy(\.isWhitespace)
                let next = line.index(after: index)
                if isFirst || next == line.endIndex || line[next].isWhitespace { return line[..<index] }
            }
            previous = character
        }
        return line[...]
    }

    /// Takes the next word, or nil at the line's end.
    mutating func next() -> String? {
        let word = rest.prefix { !$0.isWhitespace }
        rest = ScriptWords.trimmed(rest.dropFirst(word.count))
        return word.isEmpty ? nil : String(word)
    }

    /// Takes the next word and reads it with `read`, which returns nil for one that is not allowed.
    mutating func one<Value>(
        _ allowed: String, _ read: (String) -> Value?
    ) throws(ScriptError.Problem) -> Value {
        guard let word = next() else { throw .malformed(fault: "missing argument", allowed: allowed) }
        guard let value = read(word) else { throw .malformed(fault: "\"\(word)\" does not fit", allowed: allowed) }
        return value
    }

    /// Takes the last word, as `one` does; another behind it is not allowed.
    mutating func only<Value>(
        _ allowed: String, _ read: (String) -> Value?
    ) throws(ScriptError.Problem) -> Value {
        let value = try one(allowed, read)
        try end(allowed)
        return value
    }

    /// Takes the last word of what is left where `read` can read it and another one stands before it; nil where not.
    mutating func last<Value>(_ read: (String) -> Value?) -> Value? {
        guard let space = rest.lastIndex(where: \.isWhitespace),
            let value = read(String(rest[rest.index(after: space)...]))
        else { return nil }
        rest = ScriptWords.trimmed(rest[..<space])
        return value
    }

    /// Takes all that is left as a text, which must not be empty. Double quotes around it do not belong to it: what is in them is
    /// taken as it stands.
    mutating func text(_ allowed: String) throws(ScriptError.Problem) -> String {
        let text = rest.count > 2 && rest.first == "\"" && rest.last == "\"" ? rest.dropFirst().dropLast() : rest
        guard !text.isEmpty, text != "\"\"" else { throw .malformed(fault: "missing argument", allowed: allowed) }
        rest = ""
        return String(text)
    }

    /// Requires that nothing is left.
    func end(_ allowed: String) throws(ScriptError.Problem) {
        guard rest.isEmpty else { throw .malformed(fault: "\"\(rest)\" does not fit", allowed: allowed) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
