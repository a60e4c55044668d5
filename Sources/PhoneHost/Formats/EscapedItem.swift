/// An item whose parts are between backticks and taken as they stand: `` `7 eggs`, `2 l` (`the green ones`) ``. A backslash is before a
/// backtick or a backslash in them. An export writes an item so if its usual form would be read as something else.
struct EscapedItem: Equatable {
    let title: CleanTitle
    let detail: ItemDetail

    // A regular expression is not changed by matching, so that threads share it. By scalars: what follows a backtick may combine with it.
    private nonisolated(unsafe) static let form =
        /\s*`((?:[^`\\]|\\[`\\])+)`(?:, `((?:[^`\\]|\\[`\\])+)`)?(?: \(`((?:[^`\\]|\\[`\\])+)`\))?\s*/
        .matchingSemantics(.unicodeScalar)

    /// The item in a line that has this form from its first to its last character.
    init?(_ line: String) {
        guard line.unicodeScalars.contains("`"), let parts = line.wholeMatch(of: EscapedItem.form)?.output,
            let title = try? CleanTitle(EscapedItem.plain(parts.1))
        else { return nil }
        self.title = title
        detail = ItemDetail(amount: parts.2.map(EscapedItem.plain), note: parts.3.map(EscapedItem.plain))
    }

    /// The line of an item.
    static func line(_ title: String, _ detail: ItemDetail) -> String {
        let (amount, note) = (detail.amount.map { ", \(span($0))" }, detail.note.map { " (\(span($0)))" })
        return span(title) + (amount ?? "") + (note ?? "")
    }

    private static func span(_ text: String) -> String {
        let scalars = text.unicodeScalars.flatMap { $0 == "`" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "`" + String(String.UnicodeScalarView(scalars)) + "`"
    }

    private static func plain(_ span: Substring) -> String {
        var isEscaped = false
        let scalars = span.unicodeScalars.filter { scalar in
            isEscaped = scalar == "\\" && !isEscaped
            return !isEscaped
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
