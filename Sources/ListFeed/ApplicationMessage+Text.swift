import WatchLink

extension ApplicationMessage {
    /// The message of this name, nil where the application has none.
    package init?(text: String) {
        self.init(name: Array(text.utf8).span)
    }

    /// The name as text.
    package var text: String { "\(name)" }
}
