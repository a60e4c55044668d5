/// A line of pasted text, by its marks. LINES.md has the grammar.
struct PastedLine {
    enum Kind: Equatable {
        /// A blank line, a rule or a fence of code.
        case nothing
        /// `====`, which makes a heading of the line before.
        case underline
        /// `|---|---|`, which makes the line before the head of a table.
        case tableRule
        /// A heading: 1 to 6 by marks of Markdown, 7 by a colon at its end.
        case heading(level: Int)
        case words
    }

    enum Mark { case none, bullet, number }

    /// What a heading says of a recipe.
    enum Part { case ingredients, method }

    private(set) var kind = Kind.words
    private(set) var mark = Mark.none
    /// What its box says; nil if it has none.
    private(set) var box: ItemDraft.Kind?
    /// The line without its marks; of a row the cells with ` | ` between them.
    private(set) var text: String
    /// What it is the heading of; nil for any other line.
    private(set) var part: Part?
    /// Whether a space is before it.
    let isIndented: Bool

    /// The lines of a text. Numbers are marks if the first two of them are 1 and 2, or both 1: `3. Mai` alone is a name.
    static func lines(of text: [Substring]) -> [PastedLine] {
        let numbers = text.lazy.compactMap { content(of: $0).prefixMatch(of: mark)?.2 }.prefix(2).joined(separator: " ")
        var lines = text.map { PastedLine($0, isNumbered: numbers == "1 2" || numbers == "1 1") }
        for index in lines.indices.dropFirst() {
            let before = lines[index - 1]
            if lines[index].kind == .underline, before.kind == .words, before.mark == .none, before.box == nil {
                lines[index - 1].kind = .heading(level: 1)
            } else if lines[index].kind == .tableRule, before.text.contains("|"),
                index < 2 || lines[index - 2].kind != .tableRule && !lines[index - 2].text.contains("|")
            {
                (lines[index - 1].kind, lines[index - 1].part) = (.nothing, nil)
            }
        }
        return lines
    }

    init(_ line: Substring, isNumbered: Bool) {
        isIndented = line.first?.isWhitespace ?? false
        var content = PastedLine.content(of: line)
        text = String(content)
        if let rule = PastedLine.rule(content) {
            (kind, text) = (rule, "")
            return
        }
        if content.utf8.count <= MarkdownText.longest, let heading = content.wholeMatch(of: PastedLine.heading)?.output
        {
            kind = .heading(level: heading.1?.count ?? 2)
            text = String(heading.2 ?? heading.3 ?? "")
            part = namedPart
            return
        }
        if content.first == "|", content.dropFirst().contains("|") {
            content = content.split(separator: "|").map(PastedLine.trimmed).joined(separator: " | ")[...]
        }
        if let found = content.prefixMatch(of: PastedLine.mark), isNumbered || found.2 == nil {
            mark = found.2 == nil ? .bullet : .number
            content = content[found.range.upperBound...]
        }
        if let found = content.prefixMatch(of: PastedLine.box) {
            box = found.1 == nil ? .open : .checked
            content = content[found.range.upperBound...]
        }
        text = content.split(separator: "\t").map(PastedLine.trimmed).joined(separator: " | ")
        if text.isEmpty { kind = .nothing }
        guard box == nil, mark != .number, let last = text.last else { return }
        let colons = ":：*_".contains(last) ? MarkdownText.plain(text).filter { ":：".contains($0) } : ""
        if colons.count == 1, MarkdownText.plain(text).hasSuffix(colons) { kind = .heading(level: 7) }
        if mark == .none || kind != .words { part = namedPart }
    }

    /// Whether it may be read as another item beside other lines, or as none.
    var needsBox: Bool { kind != .words || mark != .none || part != nil }

    /// Whether the whole text is in bold letters.
    var isBold: Bool { text.count > 4 && ["**", "__"].contains { text.hasPrefix($0) && text.hasSuffix($0) } }

    /// The level of a heading; 8 for any other line.
    var level: Int {
        switch kind {
        case .heading(let level): level
        case .words: part == nil ? 8 : 7
        case .nothing, .underline, .tableRule: 8
        }
    }

    /// What ingredients and their preparation are called, in English, German, French, Spanish, Italian, Dutch, Portuguese.
    private static let parts: [Part: [Substring]] = [
        .ingredients: "ingredients zutaten ingrédients ingredientes ingredienti ingrediënten".split(separator: " "),
        .method: """
        method directions instructions preparation steps zubereitung anleitung préparation preparación preparazione \
        procedimento bereiding bereidingswijze preparo
        """.split(separator: " "),
    ]

    /// The part that a line names: by its first word, or by the second of two in a heading with marks. Without marks, only a
    /// parenthesis, or `for`, a number and the like with some words, follow.
    private var namedPart: Part? {
        // No heading is longer, and an escaped item is none.
        guard text.utf8.count < 200, !text.contains("`") else { return nil }
        let name = MarkdownText.plain(text).lowercased().drop { !$0.isLetter && !$0.isNumber }
        let words = name.split { !$0.isLetter }
        func named(_ word: Substring?) -> Part? {
            word.flatMap { word in PastedLine.parts.first { $0.value.contains(word) }?.key }
        }
        if level < 7 { return named(words.first) ?? (words.count == 2 ? named(words[1]) : nil) }
        guard let part = named(words.first), let first = words.first, name.hasPrefix(first) else { return nil }
        let tail = /[\s,–-]*(\(.*\)|(for|serves|für|pour|para|per|voor|[0-9]+)(\s+[^\s:：]+){1,7})?[\s:：]*/
        return name.dropFirst(first.count).wholeMatch(of: tail) == nil ? nil : part
    }

    // MARK: Marks

    // A regular expression is not changed by matching, so that threads share these.
    private nonisolated(unsafe) static let mark = /(?:([-*+•–—·▪◦‣○●])|([0-9]{1,9})[.)])(?:\s+|$)/
    private nonisolated(unsafe) static let box =
        /(?:(\[[xX]\]|[☑☒✓✔✅]\x{FE0F}?)|\[[ \x{A0}]\]|[☐⬜▢□]\x{FE0F}?)(?:\s+|$)/.matchingSemantics(.unicodeScalar)
    // Threads share it, too.
    private nonisolated(unsafe) static let heading =
        /(#{1,6})(?:\s+(.*?))?[\s#]*|(?:==+|--+)\s+(.*?)\s+(?:==+|--+)/

    /// What a line is that has no words: two characters of rules at least and nothing else, or a fence of code.
    private static func rule(_ content: Substring) -> Kind? {
        let marks = content.filter { !$0.isWhitespace }
        if marks.isEmpty || marks == ">" { return .nothing }
        if marks.count > 1, marks.allSatisfy({ "-=*_~|:+–—─═".contains($0) }) {
            if marks.contains("|"), marks.contains("-") { return .tableRule }
            return marks.allSatisfy { $0 == "=" } ? .underline : .nothing
        }
        let behind = content.dropFirst(3)
        let isFence = content.hasPrefix("```") && !behind.contains("`") && behind.split(separator: " ").count < 2
        return isFence ? .nothing : nil
    }

    /// The line without the spaces around it, a byte order mark, and the marks of a quotation.
    private static func content(of line: Substring) -> Substring {
        var content = trimmed(line.drop { $0.isWhitespace || $0 == "\u{FEFF}" })
        while content.hasPrefix("> ") { content = trimmed(content.dropFirst(2)) }
        return content
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
