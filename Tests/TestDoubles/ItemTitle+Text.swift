import WatchLink

extension ItemTitle {
    /// Cuts `text` if it is longer than a title may be.
    package init(_ text: String) {
        self.init(utf8: Array(text.utf8).span)
    }
}
