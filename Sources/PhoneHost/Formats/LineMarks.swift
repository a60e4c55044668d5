/// What stands in front of an item on a line of a list: a bullet or a number, and a box.
enum LineMarks {
    /// The line without what is in front of it: spaces, a byte order mark, the marks of a quotation.
    static func content(of line: Substring) -> Substring {
        var line = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        while line.hasPrefix("> ") { line = line.dropFirst(2).drop(while: \.isWhitespace) }
        return line
    }

    /// A text without the spaces at its end.
    static func withoutEnd(_ text: Substring) -> Substring {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// Whether the line begins with a bullet, or with a number that is a mark in some text.
    static func hasMark(_ line: Substring) -> Bool {
        let content = content(of: line)
        return bulleted(content) != nil || numbered(content) != nil
    }

    /// Whether the lines of a text are numbered. `3. Wahl` alone is a name.
    enum Numbering {
        /// Two lines or more are: a number is a mark.
        case list
        /// One at most is: a number with a full stop is a mark where it is 1.
        case single

        init(of lines: [Substring]) {
            self = lines.count { LineMarks.numbered(LineMarks.content(of: $0)) != nil } > 1 ? .list : .single
        }
    }

    /// What follows the bullet or number and its space; the content itself where there is none.
    static func withoutMark(_ content: Substring, _ numbering: Numbering) -> Substring {
        if let rest = bulleted(content) { return rest }
        guard let item = numbered(content) else { return content }
        switch (numbering, item.end) {
        case (.list, _), (.single, .bracket): return item.rest
        case (.single, .stop): return item.number == 1 || item.rest.isEmpty ? item.rest : content
        }
    }

    /// The bullets of Markdown, and those of documents and messages.
    private static let bullets: Set<Character> = ["-", "*", "+", "•", "–", "—", "·", "▪", "◦", "‣", "○", "●"]

    /// What follows a bullet; nil where there is none.
    private static func bulleted(_ content: Substring) -> Substring? {
        guard let first = content.first, bullets.contains(first) else { return nil }
        return behind(content.dropFirst())
    }

    /// A line with a number in front.
    private struct Numbered {
        enum End { case stop, bracket }

        let number: Int
        let end: End
        let rest: Substring
    }

    /// The parts of a line with a number in front; nil where there is none, or it is the day of a date: `3. Mai`.
    private static func numbered(_ content: Substring) -> Numbered? {
        let digits = content.prefix { $0.isASCII && $0.isNumber }
        guard (1...9).contains(digits.count), let number = Int(digits),
            let mark = content.dropFirst(digits.count).first, mark == "." || mark == ")",
            let rest = behind(content.dropFirst(digits.count + 1))
        else { return nil }
        if mark == ")" { return Numbered(number: number, end: .bracket, rest: rest) }
        let month = rest.prefix { $0.isLetter }
        let isDate = months.contains(month.lowercased()) && rest.dropFirst(month.count).first.map(isBehindMonth) ?? true
        return isDate ? nil : Numbered(number: number, end: .stop, rest: rest)
    }

    private static func isBehindMonth(_ character: Character) -> Bool {
        character.isWhitespace || ".,:;)".contains(character)
    }

    /// The months where the day has a full stop, in German, Danish and Norwegian, and in English.
    private static let months: Set<String> = [
        "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
        "november", "dezember", "jan", "feb", "mär", "apr", "jun", "jul", "aug", "sep", "sept", "okt", "nov", "dez",
        "marts", "maj", "december", "desember", "january", "february", "march", "may", "june", "july",
        "october", "oct", "dec",
    ]

    /// What follows a mark and its space; nil where something follows it at once.
    private static func behind(_ rest: Substring) -> Substring? {
        guard rest.first?.isWhitespace ?? true else { return nil }
        return rest.drop(while: \.isWhitespace)
    }

    /// Boxes that are a character by themselves.
    private static let boxes: Set<Character> = ["☐", "⬜", "▢", "□"]
    /// A box that is a character by itself, ticked.
    private static let ticks: Set<Character> = ["☑", "☒", "✓", "✔", "✅"]

    /// A character without the selector that has it drawn as a picture (U+FE0F).
    private static func withoutSelector(_ character: Character) -> Character {
        character.unicodeScalars.count == 2 && character.unicodeScalars.last == "\u{FE0F}"
            ? Character(character.unicodeScalars[character.unicodeScalars.startIndex]) : character
    }

    /// What the box in front of the title says, and the title. Notes have boxes without a bullet.
    static func withoutBox(_ text: Substring) -> (ItemDraft.Kind, Substring) {
        if let first = text.first.map(withoutSelector), text.dropFirst().first?.isWhitespace == true {
            if ticks.contains(first) { return (.checked, text.dropFirst()) }
            if boxes.contains(first) { return (.open, text.dropFirst()) }
        }
        guard text.count >= 3 else { return (.open, text) }
        let rest = text.dropFirst(3)
        guard rest.first?.isWhitespace ?? true else { return (.open, text) }
        switch text.prefix(3) {
        case "[ ]", "[\u{A0}]": return (.open, rest)
        case "[x]", "[X]": return (.checked, rest)
        default: return (.open, text)
        }
    }
}
