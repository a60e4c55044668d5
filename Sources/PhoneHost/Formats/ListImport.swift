import HostSystem
import SystemPackage

/// Reads a list from a text as people paste it: an item on each line, a Markdown check-list, or a recipe in Markdown.
///
/// Each line that is neither blank nor a heading is an item; of a recipe each line of its ingredients is. Bullets and numbers are
/// taken off, and the box of a check-list says whether the item is checked off. What is left is a `PastedItem`. Lines end in LF,
/// CRLF or CR; a byte order mark is skipped; invalid UTF-8 becomes U+FFFD.
package struct ListImport: Equatable, Sendable {
    /// The items, in the order of their lines.
    package private(set) var drafts: [ItemDraft] = []
    /// The number of lines without an item: blank ones, headings, lines of nothing but marks or control characters, and those
    /// of a recipe that are no ingredients.
    package private(set) var skippedLines = 0
    /// Whether it is a recipe.
    let kind: RecipeSections.Kind
    /// Whether all of its bytes are UTF-8.
    let encoding: Encoding

    enum Encoding: Equatable {
        case sound
        case damaged
    }

    /// The list in `bytes`. A line that is not an item is skipped and counted, so reading cannot fail.
    package init(_ bytes: some Collection<UInt8>) {
        let sound = String(validating: bytes, as: UTF8.self)
        encoding = sound == nil ? .damaged : .sound
        let text = sound ?? String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // The end of the last line does not start another one.
        if lines.last?.isEmpty == true { lines.removeLast() }
        let sections = RecipeSections(MarkdownTable.rows(lines))
        kind = sections.kind
        let place = sections.kind == .recipe ? PastedItem.Place.ingredients : .list
        drafts = sections.lines.compactMap { ListImport.draft($0, in: place) }
        skippedLines = lines.count - drafts.count
    }

    /// Sentences about what of the text is not read as it stands; none where all of it is.
    package var remarks: [String] {
        let recipe = "It is a recipe: \(CountText(skippedLines, "line")) beside its ingredients left out"
        let damage =
            "Some bytes are no UTF-8 and stand as \u{FFFD}: convert the text first, as with iconv -f latin1 -t utf-8"
        return (kind == .recipe ? [recipe] : []) + (encoding == .damaged ? [damage] : [])
    }

    /// Requires that a recipe has ingredients.
    ///
    /// - Throws: `.noIngredients` where it has none.
    package func requireItems() throws(PhoneError) {
        if kind == .withoutIngredients { throw .noIngredients }
    }

    /// The bytes of the file at `path`; `-` is the standard input.
    ///
    /// - Throws: `.file` where it cannot be read.
    package static func bytes(of path: String) throws(PhoneError) -> [UInt8] {
        do {
            return try path == "-"
                ? FileDescriptor.standardInput.rest(atMost: mostBytes)
                : FileDescriptor.bytes(ofFile: path, atMost: mostBytes)
        } catch {
            throw .file(path: path, reason: "cannot be read (\(error))")
        }
    }

    /// The longest list that is read: 256 MiB, 61 bytes for each of as many items as there are numbers for.
    private static let mostBytes = 256 << 20

    /// The item of one line, nil where it holds none.
    static func draft(_ line: Substring, in place: PastedItem.Place = .list) -> ItemDraft? {
        let content = content(line)
        guard !isHeading(content), !isRule(content) else { return nil }
        let text = withoutBullet(content)
        let (kind, title) = withoutBox(text)
        guard let item = try? PastedItem(title, in: place) else { return nil }
        return ItemDraft(title: item.title, kind: kind == .open ? item.kind : kind, detail: item.detail)
    }

    /// Whether the line begins with a bullet or a number.
    static func hasBullet(_ line: Substring) -> Bool {
        let content = content(line)
        return withoutBullet(content).startIndex != content.startIndex
    }

    /// The line without what is in front of it: spaces, a byte order mark, the marks of a quotation.
    private static func content(_ line: Substring) -> Substring {
        var line = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        while line.hasPrefix("> ") { line = line.dropFirst(2).drop(while: \.isWhitespace) }
        return line
    }

    /// Whether the line is a Markdown heading or the line that underlines one.
    private static func isHeading(_ line: Substring) -> Bool {
        let marks = line.prefix { $0 == "#" }
        if (1...6).contains(marks.count), line.dropFirst(marks.count).first.map(\.isWhitespace) ?? true { return true }
        let underline = line.reversed().drop(while: \.isWhitespace)
        return underline.count >= 2 && (underline.allSatisfy { $0 == "=" } || underline.allSatisfy { $0 == "-" })
    }

    /// The bullets of Markdown, and those of documents and messages.
    private static let bullets: Set<Character> = ["-", "*", "+", "•", "–", "—", "·", "▪", "◦", "‣", "○", "●"]
    /// Boxes that are a character by themselves.
    private static let boxes: Set<Character> = ["☐", "⬜", "▢", "□"]
    /// A box that is a character by itself, ticked.
    private static let ticks: Set<Character> = ["☑", "☒", "✓", "✔", "✅"]

    /// Whether the line is a rule or a fence of Markdown: `***`, `* * *`, `___`, or one that begins with three backticks and a word at most.
    private static func isRule(_ line: Substring) -> Bool {
        let marks = line.filter { !$0.isWhitespace }
        if let first = marks.first, "*_-".contains(first), marks.count >= 3 { return marks.allSatisfy { $0 == first } }
        return line.hasPrefix("```") && !line.dropFirst(3).contains { $0 == "`" || $0.isWhitespace && $0 != " " }
            && line.dropFirst(3).split(separator: " ").count < 2
    }

    /// What follows the bullet and its space; the line itself where there is no bullet.
    private static func withoutBullet(_ line: Substring) -> Substring {
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let mark: Substring
        if let first = line.first, bullets.contains(first) {
            mark = line.prefix(1)
        } else if (1...9).contains(digits.count), let end = line.dropFirst(digits.count).first, end == "." || end == ")"
        {
            mark = line.prefix(digits.count + 1)
        } else {
            return line
        }
        let rest = line.dropFirst(mark.count)
        guard rest.first?.isWhitespace ?? true else { return line }
        return rest.drop(while: \.isWhitespace)
    }

    /// A character without the selector that has it drawn as a picture (U+FE0F).
    private static func withoutSelector(_ character: Character) -> Character {
        character.unicodeScalars.count == 2 && character.unicodeScalars.last == "\u{FE0F}"
            ? Character(character.unicodeScalars[character.unicodeScalars.startIndex]) : character
    }

    /// What the box in front of the title says, and the title. Notes have boxes without a bullet.
    private static func withoutBox(_ text: Substring) -> (ItemDraft.Kind, Substring) {
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
