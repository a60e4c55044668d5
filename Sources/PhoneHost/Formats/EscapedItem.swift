/// An item whose parts are code spans of Markdown, which are taken as they stand: `` `7 eggs`, `2 l` (`the green ones`) ``. An export
/// writes one where the usual form would be read as something else.
struct EscapedItem: Equatable {
    let title: CleanTitle
    let detail: ItemDetail

    /// By scalars: what follows a backtick may combine with it.
    private typealias Text = Substring.UnicodeScalarView

    /// The item in a line that has this form from its first to its last character.
    init?(_ line: Substring) {
        var rest = line.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        guard let title = EscapedItem.takeSpan(&rest), let clean = try? CleanTitle(title) else { return nil }
        var amount: String?
        var note: String?
        if rest.starts(with: ", `".unicodeScalars) {
            rest = rest.dropFirst(2)
            amount = EscapedItem.takeSpan(&rest)
        }
        if rest.starts(with: " (`".unicodeScalars) {
            rest = rest.dropFirst(2)
            note = EscapedItem.takeSpan(&rest)
            guard note != nil, rest.first == ")" else { return nil }
            rest = rest.dropFirst()
        }
        guard rest.isEmpty else { return nil }
        self.title = clean
        detail = ItemDetail(amount: amount, note: note)
    }

    /// The line of an item.
    static func line(_ title: String, _ detail: ItemDetail) -> String {
        span(title) + (detail.amount.map { ", \(span($0))" } ?? "") + (detail.note.map { " (\(span($0)))" } ?? "")
    }

    /// A code span (CommonMark 0.31, section 6.1): its fence has one backtick more than any run in it, and a space separates it from a
    /// backtick at either end.
    private static func span(_ text: String) -> String {
        var longest = 0
        var run = 0
        for scalar in text.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let space = text.unicodeScalars.first == "`" || text.unicodeScalars.last == "`" ? " " : ""
        return fence + space + text + space + fence
    }

    /// Takes the span with which the text begins; nil, with nothing taken, where there is none.
    private static func takeSpan(_ text: inout Text) -> String? {
        let fence = text.prefix { $0 == "`" }
        guard !fence.isEmpty else { return nil }
        let inner = text.dropFirst(fence.count)
        var place = inner.startIndex
        while let begin = inner[place...].firstIndex(of: "`") {
            let run = inner[begin...].prefix { $0 == "`" }
            guard run.count == fence.count else {
                place = run.endIndex
                continue
            }
            var content = inner[..<begin]
            let isPadded =
                content.starts(with: " `".unicodeScalars) || content.reversed().starts(with: " `".unicodeScalars)
            if isPadded, content.count > 2 { content = content.dropFirst().dropLast() }
            guard !content.isEmpty else { return nil }
            text = inner[run.endIndex...]
            return String(Substring(content))
        }
        return nil
    }
}
