import HostSystem

/// Reads the words of a line from left to right.
struct ScriptWords {
    /// The unread rest of the line, without white space at its ends.
    private(set) var rest: Substring

    init(_ line: String) {
        rest = ScriptWords.trimmed(ScriptWords.beforeComment(line))
    }

    /// The line without its comment. A comment begins with a first word that starts with `#`, or with a separate `#` outside
    /// double quotes. A text argument may begin with `#`: `expect row 1 #2 pencils`.
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

    /// Reads the next word. Nil at the end of the line.
    mutating func next() -> String? {
        let word = rest.prefix { !$0.isWhitespace }
        rest = ScriptWords.trimmed(rest.dropFirst(word.count))
        return word.isEmpty ? nil : String(word)
    }

    /// Reads the next word as a value. `read` returns nil if the word is not allowed.
    mutating func one<Value>(
        _ allowed: String, _ read: (String) -> Value?
    ) throws(ScriptError.Problem) -> Value {
        guard let word = next() else { throw .malformed(fault: "missing argument", allowed: allowed) }
        guard let value = read(word) else { throw .malformed(fault: "\"\(word)\" does not fit", allowed: allowed) }
        return value
    }

    /// Reads the last word of the line as a value.
    mutating func only<Value>(
        _ allowed: String, _ read: (String) -> Value?
    ) throws(ScriptError.Problem) -> Value {
        let value = try one(allowed, read)
        try end(allowed)
        return value
    }

    /// Reads the last word of the line, if `read` accepts it and it is not the only word. Otherwise returns nil.
    mutating func last<Value>(_ read: (String) -> Value?) -> Value? {
        guard let space = rest.lastIndex(where: \.isWhitespace),
            let value = read(String(rest[rest.index(after: space)...]))
        else { return nil }
        rest = ScriptWords.trimmed(rest[..<space])
        return value
    }

    /// Reads the rest of the line as a text, which must not be empty. Removes double quotes around it.
    mutating func text(_ allowed: String) throws(ScriptError.Problem) -> String {
        let text = rest.count > 2 && rest.first == "\"" && rest.last == "\"" ? rest.dropFirst().dropLast() : rest
        guard !text.isEmpty, text != "\"\"" else { throw .malformed(fault: "missing argument", allowed: allowed) }
        rest = ""
        return String(text)
    }

    func end(_ allowed: String) throws(ScriptError.Problem) {
        guard rest.isEmpty else { throw .malformed(fault: "\"\(rest)\" does not fit", allowed: allowed) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

/// Finds the word that a user may have meant.
enum SimilarWord {
    /// The most similar known word. Nil if every known word differs by more than two letters, or by more than a third of the
    /// letters. Two swapped letters count as one difference.
    static func to(_ word: String, among known: [String]) -> String? {
        let letters = Array(word.lowercased().prefix(32))
        let most = min(2, max(1, letters.count / 3))
        return known.map { (word: $0, distance: EditDistance.between(letters, $0)) }
            .filter { $0.distance <= most }.min { $0.distance < $1.distance }?.word
    }

    /// The question to add to an error message. Empty if no known word is similar.
    static func question(_ word: String, among known: [String]) -> String {
        to(word, among: known).map { ", did you mean \"\($0)\"?" } ?? ""
    }
}
