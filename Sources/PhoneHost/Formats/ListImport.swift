import HostSystem
import SystemPackage

/// Reads a list from a text file: a title on each line, or a Markdown check-list.
///
/// Each line that is neither blank nor a heading is an item. Markdown's bullets (`-`, `*`, `+`, or a number) are taken
/// off, and the box of a check-list says whether the item is checked off. Lines end in LF, CRLF or CR; a byte order
/// mark is skipped; invalid UTF-8 becomes U+FFFD.
package struct ListImport: Equatable, Sendable {
    /// The items, in the order of their lines.
    package private(set) var drafts: [ItemDraft] = []
    /// The number of lines without an item: blank ones, headings, and lines of nothing but marks or control characters.
    package private(set) var skippedLines = 0

    /// The list in `bytes`. A line that is not an item is skipped and counted, so reading cannot fail.
    package init(_ bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // The end of the last line does not start another one.
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            if let draft = ListImport.draft(line) {
                drafts.append(draft)
            } else {
                skippedLines += 1
            }
        }
    }

    /// The list in the file at `path`; `-` is the standard input.
    ///
    /// - Throws: `.file` where it cannot be read.
    package init(contentsOf path: String) throws(PhoneError) {
        do {
            let most = ListImport.mostBytes
            self.init(
                try path == "-"
                    ? FileDescriptor.standardInput.rest(atMost: most)
                    : FileDescriptor.bytes(ofFile: path, atMost: most))
        } catch {
            throw .file(path: path, reason: "cannot be read (\(error))")
        }
    }

    /// The longest list that is read: 256 MiB, 61 bytes for each of as many items as there are numbers for.
    private static let mostBytes = 256 << 20

    /// The item of one line, nil where it holds none.
    static func draft(_ line: Substring) -> ItemDraft? {
        let content = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard !isHeading(content) else { return nil }
        let text = withoutBullet(content)
        let (kind, title) = withoutBox(text, bullet: text.startIndex != content.startIndex)
        guard let title = try? CleanTitle(String(title)) else { return nil }
        return ItemDraft(title: title, kind: kind)
    }

    /// Whether the line is a Markdown heading or the line that underlines one.
    private static func isHeading(_ line: Substring) -> Bool {
        let marks = line.prefix { $0 == "#" }
        if (1...6).contains(marks.count), line.dropFirst(marks.count).first.map(\.isWhitespace) ?? true { return true }
        let underline = line.reversed().drop(while: \.isWhitespace)
        return underline.count >= 2 && (underline.allSatisfy { $0 == "=" } || underline.allSatisfy { $0 == "-" })
    }

    /// What follows the bullet and its space; the line itself where there is no bullet.
    private static func withoutBullet(_ line: Substring) -> Substring {
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let mark: Substring
        if let first = line.first, first == "-" || first == "*" || first == "+" {
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

    /// What the box in front of the title says, and the title. A box counts behind a bullet only, as in Markdown.
    private static func withoutBox(_ text: Substring, bullet: Bool) -> (ItemDraft.Kind, Substring) {
        guard bullet, text.count >= 3 else { return (.open, text) }
        let rest = text.dropFirst(3)
        guard rest.first?.isWhitespace ?? true else { return (.open, text) }
        switch text.prefix(3) {
        case "[ ]", "[\u{A0}]": return (.open, rest)
        case "[x]", "[X]": return (.checked, rest)
        default: return (.open, text)
        }
    }
}
