/// An item whose parts are in backticks and are read literally: `` `7 eggs`, `2 l` (`the green ones`) ``.
///
/// A backslash escapes a backtick or a backslash. An export uses this form for text that an import would misread.
struct EscapedItem: Equatable {
    let title: CleanTitle
    let detail: ItemDetail

    // Matching does not change a regular expression, so threads may share it. It matches scalars, because a backtick and the
    // next scalar may form one character.
    private nonisolated(unsafe) static let form =
        /\s*`((?:[^`\\]|\\[`\\])+)`(?:, `((?:[^`\\]|\\[`\\])+)`)?(?: \(`((?:[^`\\]|\\[`\\])+)`\))?\s*/
        .matchingSemantics(.unicodeScalar)

    /// Reads a line; nil if any part of the line does not have this form.
    init?(_ line: String) {
        guard line.unicodeScalars.contains("`"), let parts = line.wholeMatch(of: EscapedItem.form)?.output,
            let title = try? CleanTitle(EscapedItem.plain(parts.1))
        else { return nil }
        self.title = title
        detail = ItemDetail(amount: parts.2.map(EscapedItem.plain), note: parts.3.map(EscapedItem.plain))
    }

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
