import WatchLink

extension ItemTitle {
    /// Cuts a title before the first grapheme cluster that does not fit, and marks it as cut. If the first cluster alone is too
    /// long, cuts it between its scalars.
    package init(cutting text: String) {
        var end = text.startIndex
        var count = 0
        for index in text.indices {
            count += text[index].utf8.count
            guard count <= ItemTitle.capacity else {
                let fitting = end == text.startIndex ? text[...index] : text[..<end]
                self.init(utf8: Array(fitting.utf8).span, completeness: .cut)
                return
            }
            end = text.index(after: index)
        }
        self.init(utf8: Array(text.utf8).span)
    }

    package var text: String {
        String(decoding: (0..<count).map { self[$0] }, as: UTF8.self)
    }
}
