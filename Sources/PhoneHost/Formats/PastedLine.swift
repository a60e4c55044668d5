/// A line of pasted text: its text, and what its Markdown marks say about it. LINES.md has the grammar.
struct PastedLine {
    enum Kind: Equatable {
        /// A line that gives no item: blank, a rule such as `----`, a code fence, or the head of a table.
        case nothing
        /// A line like `====`. The line before it is a heading.
        case underline
        /// A line like `|---|---|`. The line before it is the head of a table.
        case tableRule
        /// A heading. Level 1 to 6 is Markdown's; level 7 is a line that ends with a colon.
        case heading(level: Int)
        case words
    }

    enum Mark { case none, bullet, number }

    enum Part { case ingredients, method }

    private(set) var kind = Kind.words
    private(set) var mark = Mark.none
    /// `.checked` if the line has a checked box of a checklist, `.open` if the box is not checked; nil if the line has no box.
    private(set) var box: ItemDraft.Kind?
    /// The line without its marks. ` | ` separates the cells of a table row.
    private(set) var text: String
    private(set) var part: Part?
    let isIndented: Bool

    /// Classifies the lines of a text. Numbers at the start of lines are list marks only if the first two are 1 and 2, or both 1.
    /// So in a single `3. Mai`, the number belongs to the title.
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

    /// Whether an export must put a box before this line. Without a box, an import might read a different item, or none.
    var needsBox: Bool { kind != .words || mark != .none || part != nil }

    var isBold: Bool { text.count > 4 && ["**", "__"].contains { text.hasPrefix($0) && text.hasSuffix($0) } }

    /// The level of a heading, from 1 to 7. A line that is not a heading has level 7 if it names a part of a recipe, and
    /// otherwise level 8.
    var level: Int {
        switch kind {
        case .heading(let level): level
        case .words: part == nil ? 8 : 7
        case .nothing, .underline, .tableRule: 8
        }
    }

    /// The words that name a part of a recipe, in English, German, French, Spanish, Italian, Dutch and Portuguese.
    private static let parts: [Part: [Substring]] = [
        .ingredients: "ingredients zutaten ingrédients ingredientes ingredienti ingrediënten".split(separator: " "),
        .method: """
        method directions instructions preparation steps zubereitung anleitung préparation preparación preparazione \
        procedimento bereiding bereidingswijze preparo
        """.split(separator: " "),
    ]

    /// The part of a recipe that this line names; nil if none. In a Markdown heading, the first word must name the part. If the
    /// heading has two words, the second word may name the part instead. In any other line, the first word must name the part,
    /// and only a parenthesis or a phrase like `for 4 people` may follow.
    private var namedPart: Part? {
        // A longer line is no heading, and neither is an escaped item.
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

    // Matching does not change a regular expression, so threads may share these.
    private nonisolated(unsafe) static let mark = /(?:([-*+•–—·▪◦‣○●])|([0-9]{1,9})[.)])(?:\s+|$)/
    private nonisolated(unsafe) static let box =
        /(?:(\[[xX]\]|[☑☒✓✔✅]\x{FE0F}?)|\[[ \x{A0}]\]|[☐⬜▢□]\x{FE0F}?)(?:\s+|$)/.matchingSemantics(.unicodeScalar)
    // Matching does not change a regular expression, so threads may share this one too.
    private nonisolated(unsafe) static let heading =
        /(#{1,6})(?:\s+(.*?))?[\s#]*|(?:==+|--+)\s+(.*?)\s+(?:==+|--+)/

    /// The kind of a line without words: blank, at least two rule characters, or a code fence. Nil for other lines.
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

    /// The line without spaces at both ends, without a byte order mark, and without `>` marks of a quotation.
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

enum MarkdownText {
    // Matching does not change a regular expression, so threads may share these.
    private nonisolated(unsafe) static let link = /!?\[([^\[\]]+)\]\((?:[^()]|\([^()]*\))*\)/
    private nonisolated(unsafe) static let emphasis = /(^|[\s(])(\*\*|__|\*|_)(\S|\S.*?\S)\2(?![\p{L}\p{N}])/

    /// Removes emphasis, and keeps the words of links and pictures: `**[Milk](https://…)** 2 l` becomes `Milk 2 l`. A mark
    /// without a partner, or inside a word, stays.
    static func plain(_ text: String) -> String {
        guard text.utf8.count <= longest, text.contains(where: { "[*_".contains($0) }) else { return text }
        let words = text.replacing(link) { $0.1 }
        return (0..<2).reduce(words) { words, _ in words.replacing(emphasis) { $0.1 + $0.3 } }
    }

    /// The maximum length, in bytes, of a line from which marks are removed. A longer line stays as it is.
    static let longest = 1_000
}
