import HostSystem
import SystemPackage

/// Reads a list from a text as people paste it: an item on each line, a Markdown check-list, or a recipe. LINES.md has the grammar.
///
/// Lines end in LF, CRLF or CR; a byte order mark is skipped; invalid UTF-8 becomes U+FFFD.
package struct ListImport: Equatable, Sendable {
    /// The items, in the order of their lines.
    package private(set) var drafts: [ItemDraft] = []
    /// The number of lines without an item: blank ones, headings, lines of nothing but marks or control characters, and those of a
    /// recipe that are no ingredients.
    package let skippedLines: Int
    /// The lines of a recipe that have words and are neither headings nor ingredients; none for a list.
    package private(set) var leftOut: [String] = []
    /// Whether it is a recipe that has no ingredients.
    private var lacksIngredients = false
    /// Whether all of its bytes are UTF-8.
    private let isUTF8: Bool

    /// The list in `bytes`. A line that is not an item is skipped and counted, so reading cannot fail.
    package init(_ bytes: some Collection<UInt8>) {
        let sound = String(validating: bytes, as: UTF8.self)
        isUTF8 = sound != nil
        let text = sound ?? String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // The end of the last line does not start another one.
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

    /// Sentences about what of the text is not read as it stands; none if all of it is.
    package var remarks: [String] {
        let recipe = "It is a recipe: \(CountText(leftOut.count, "line")) beside its ingredients left out"
        let damage =
            "Some bytes are no UTF-8 and stand as \u{FFFD}: convert the text first, as with iconv -f latin1 -t utf-8"
        return (leftOut.isEmpty ? [] : [recipe]) + (isUTF8 ? [] : [damage])
    }

    /// Requires that a recipe has ingredients.
    ///
    /// - Throws: `.noIngredients` if it has none.
    package func requireItems() throws(PhoneError) {
        if lacksIngredients { throw .noIngredients }
    }

    /// The bytes of the file at `path`; `-` is the standard input.
    ///
    /// - Throws: `.file` if it cannot be read.
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

    /// The item of one line that is a text by itself, nil if it holds none.
    static func draft(_ line: Substring, in place: PastedItem.Place = .list) -> ItemDraft? {
        draft(PastedLine(line, isNumbered: false), in: place)
    }

    private static func draft(_ line: PastedLine, in place: PastedItem.Place) -> ItemDraft? {
        guard line.kind == .words, let item = try? PastedItem(line.text, in: place) else { return nil }
        return ItemDraft(title: item.title, kind: line.box == .checked ? .checked : item.kind, detail: item.detail)
    }
}
