import HostSystem
import SystemPackage

/// Reads items from pasted text: one item on each line, a Markdown checklist, or a recipe. LINES.md has the grammar.
///
/// Lines end in LF, CRLF or CR. A byte order mark is skipped, and invalid UTF-8 becomes U+FFFD.
package struct ListImport: Equatable, Sendable {
    package private(set) var drafts: [ItemDraft] = []
    /// The number of lines that give no item: blank lines, headings, lines without words, and the lines of a recipe that are not
    /// ingredients.
    package let skippedLines: Int
    /// The lines of a recipe that have words but are neither headings nor ingredients; empty for a list.
    package private(set) var leftOut: [String] = []
    private var lacksIngredients = false
    private let isUTF8: Bool

    /// Reads all items. It never fails: a line without an item is counted in `skippedLines`.
    package init(_ bytes: some Collection<UInt8>) {
        let sound = String(validating: bytes, as: UTF8.self)
        isUTF8 = sound != nil
        let text = sound ?? String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // The line feed at the end of the last line does not begin another line.
        if lines.last?.isEmpty == true { lines.removeLast() }
        switch RecipeText(PastedLine.lines(of: lines)) {
        case .list(let items): drafts = items.compactMap { ListImport.draft($0, in: .list) }
        case .recipe(let ingredients, let others):
            drafts = ingredients.compactMap { ListImport.draft($0, in: .ingredients) }
            leftOut = others.map { SanitizedLine($0.text).text }
        case .withoutIngredients: lacksIngredients = true
        }
        skippedLines = lines.count - drafts.count
    }

    /// Sentences for the owner about text that was left out or damaged.
    package var remarks: [String] {
        let recipe = "It is a recipe: left out \(CountText(leftOut.count, "line")) besides its ingredients"
        let damage =
            "Some bytes are not UTF-8 and became \u{FFFD}: convert the text first, for example with iconv -f latin1 -t utf-8"
        return (leftOut.isEmpty ? [] : [recipe]) + (isUTF8 ? [] : [damage])
    }

    /// - Throws: `.noIngredients` if the text is a recipe without ingredients.
    package func requireItems() throws(PhoneError) {
        if lacksIngredients { throw .noIngredients }
    }

    /// Reads the file at `path`, or the standard input if `path` is `-`.
    ///
    /// - Throws: `.file` if it cannot be read, or has more than 256 MiB.
    package static func bytes(of path: String) throws(PhoneError) -> [UInt8] {
        do {
            return try path == "-"
                ? FileDescriptor.standardInput.rest(atMost: mostBytes)
                : FileDescriptor.bytes(ofFile: path, atMost: mostBytes)
        } catch {
            throw .file(path: path, reason: "cannot be read (\(error))")
        }
    }

    /// The maximum size of a text in bytes: 256 MiB.
    private static let mostBytes = 256 << 20

    static func draft(_ line: Substring, in place: PastedItem.Place = .list) -> ItemDraft? {
        draft(PastedLine(line, isNumbered: false), in: place)
    }

    private static func draft(_ line: PastedLine, in place: PastedItem.Place) -> ItemDraft? {
        guard line.kind == .words, let item = try? PastedItem(line.text, in: place) else { return nil }
        return ItemDraft(title: item.title, kind: line.box == .checked ? .checked : item.kind, detail: item.detail)
    }
}
