import HostSystem
import WatchLink

/// A line of a script, without its comment. A method that reads a word removes it from `rest`.
package struct ScriptWords {
    /// The unread part of the line, without white space at its ends.
    package private(set) var rest: Substring

    package init(_ line: String) {
        rest = ScriptWords.trimmed(ScriptWords.beforeComment(line))
    }

    /// Returns the line without its comment. If the line's first word begins with `#`, the whole line is a comment. Later in
    /// the line, a comment begins at a `#` that is a word of its own, outside double quotes. `expect row 1 #2 pencils` has no
    /// comment.
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

    package mutating func next() -> String? {
        let word = rest.prefix { !$0.isWhitespace }
        rest = ScriptWords.trimmed(rest.dropFirst(word.count))
        return word.isEmpty ? nil : String(word)
    }

    /// Reads the next word and converts it with `read`. Throws if there is no word, or if `read` returns nil. The error's text
    /// contains `allowed`, which says what the command allows.
    package mutating func one<Value>(
        _ allowed: String, _ read: (String) -> Value?
    ) throws(ScriptError.Problem) -> Value {
        guard let word = next() else { throw .malformed(fault: "missing argument", allowed: allowed) }
        guard let value = read(word) else { throw .malformed(fault: "\"\(word)\" does not fit", allowed: allowed) }
        return value
    }

    package mutating func only<Value>(
        _ allowed: String, _ read: (String) -> Value?
    ) throws(ScriptError.Problem) -> Value {
        let value = try one(allowed, read)
        try end(allowed)
        return value
    }

    /// Reads the line's last word and converts it with `read`. If `read` returns nil, or if only one word is left, reads
    /// nothing and returns nil.
    package mutating func last<Value>(_ read: (String) -> Value?) -> Value? {
        guard let space = rest.lastIndex(where: \.isWhitespace),
            let value = read(String(rest[rest.index(after: space)...]))
        else { return nil }
        rest = ScriptWords.trimmed(rest[..<space])
        return value
    }

    /// Reads the rest of the line. Removes double quotes around it. Throws if no text is left.
    package mutating func text(_ allowed: String) throws(ScriptError.Problem) -> String {
        let text = rest.count > 2 && rest.first == "\"" && rest.last == "\"" ? rest.dropFirst().dropLast() : rest
        guard !text.isEmpty, text != "\"\"" else { throw .malformed(fault: "missing argument", allowed: allowed) }
        rest = ""
        return String(text)
    }

    package func end(_ allowed: String) throws(ScriptError.Problem) {
        guard rest.isEmpty else { throw .malformed(fault: "\"\(rest)\" does not fit", allowed: allowed) }
    }

    package mutating func pictureFile(_ allowed: String, ending: String = ".png") throws(ScriptError.Problem) -> String
    {
        let file = try text(allowed)
        guard file.hasSuffix(ending), file.count > ending.count else {
            throw .malformed(fault: "\"\(file)\" does not fit", allowed: allowed)
        }
        return file
    }

    package mutating func recording() throws(ScriptError.Problem) -> ScriptRecording {
        if rest == "end" { return .end }
        return .begin(file: try pictureFile("record FILE with FILE ending in .gif, or record end", ending: ".gif"))
    }

    package static func number(_ word: String, in range: ClosedRange<Int>) -> Int? {
        Int(word).flatMap { range.contains($0) ? $0 : nil }
    }

    package static func duration(_ word: String) -> Microseconds? {
        let units: [(String, UInt64)] = [("ms", 1_000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000)]
        guard let (name, unit) = units.first(where: { word.hasSuffix($0.0) }) else { return nil }
        return UInt32(word.dropLast(name.count)).map { Microseconds(UInt64($0) * unit) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

package enum SimilarWord {
    /// Returns the known word that is most similar to `word`. The two words may differ by at most 2 changes, or by 1 change if
    /// `word` has fewer than 6 letters. Nil if every known word differs more. A change inserts, deletes or replaces a letter,
    /// or swaps two neighbouring letters.
    package static func to(_ word: String, among known: [String]) -> String? {
        let letters = Array(word.lowercased().prefix(32))
        let most = min(2, max(1, letters.count / 3))
        return known.map { (word: $0, distance: EditDistance.between(letters, $0)) }
            .filter { $0.distance <= most }.min { $0.distance < $1.distance }?.word
    }

    /// Returns the end of a message about an unknown word, such as `, did you mean "tap"?`. Empty if no known word is similar.
    package static func question(_ word: String, among known: [String]) -> String {
        to(word, among: known).map { ", did you mean \"\($0)\"?" } ?? ""
    }
}
