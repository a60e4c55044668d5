/// Takes a line apart, word by word from the left.
struct ScriptWords {
    /// What has not been taken, without white space around it.
    private(set) var rest: Substring

    init(_ line: String) {
        rest = ScriptWords.trimmed(line[...])
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

    /// Takes all that is left as a text, which must not be empty.
    mutating func text(_ allowed: String) throws(ScriptError.Problem) -> String {
        guard !rest.isEmpty else { throw .malformed(fault: "missing argument", allowed: allowed) }
        defer { rest = "" }
        return String(rest)
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
