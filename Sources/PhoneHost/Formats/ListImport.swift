import HostSystem
import SystemPackage

/// Reads a list from a text as people paste it: an item on each line, a Markdown check-list, or a recipe in Markdown.
///
/// Each line that is neither blank nor a heading is an item; of a recipe each line of its ingredients is. Bullets and numbers are
/// taken off, and the box of a check-list says whether the item is checked off. What is left is a `PastedItem`. Lines end in LF, CRLF or CR; a byte order mark is skipped; invalid UTF-8 becomes U+FFFD.
package struct ListImport: Equatable, Sendable {
    /// The items, in the order of their lines.
    package private(set) var drafts: [ItemDraft] = []
    /// The number of lines without an item: blank ones, headings, lines of nothing but marks or control characters, and those of a
    /// recipe that are no ingredients.
    package private(set) var skippedLines = 0
    /// Whether it is a recipe.
    let kind: RecipeSections.Kind
    /// The number of lines of a recipe that have words and are neither headings nor ingredients; 0 for a list.
    let leftOut: Int
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
        leftOut = sections.leftOut
        let place = sections.kind == .recipe ? PastedItem.Place.ingredients : .list
        drafts = ListImport.drafts(of: sections.lines, in: place)
        skippedLines = lines.count - drafts.count
    }

    /// Sentences about what of the text is not read as it stands; none where all of it is.
    package var remarks: [String] {
        let recipe = "It is a recipe: \(CountText(leftOut, "line")) beside its ingredients left out"
        let damage =
            "Some bytes are no UTF-8 and stand as \u{FFFD}: convert the text first, as with iconv -f latin1 -t utf-8"
        return (leftOut > 0 ? [recipe] : []) + (encoding == .damaged ? [damage] : [])
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

    /// The item of one line that is a text by itself, nil where it holds none.
    static func draft(_ line: Substring, in place: PastedItem.Place = .list) -> ItemDraft? {
        drafts(of: [line], in: place).first
    }

    /// The items of some lines. What numbers mean depends on all of them.
    private static func drafts(of lines: [Substring], in place: PastedItem.Place) -> [ItemDraft] {
        let numbering = LineMarks.Numbering(of: lines)
        return lines.compactMap { line in
            let content = LineMarks.content(of: line)
            switch MarkdownLine(content) {
            case .blank, .heading, .underline, .rule: return nil
            case .text: break
            }
            let (box, title) = LineMarks.withoutBox(LineMarks.withoutMark(content, numbering))
            guard let item = try? PastedItem(title, in: place) else { return nil }
            return ItemDraft(title: item.title, kind: box == .open ? item.kind : box, detail: item.detail)
        }
    }
}
