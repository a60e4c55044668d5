import WatchLink

extension ItemTitle {
    /// The UTF-8 bytes of `text`, cut where they do not fit.
    package init(_ text: String) {
        self.init(utf8: Array(text.utf8).span)
    }
}
