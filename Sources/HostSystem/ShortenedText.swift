extension String {
    /// The first `count` characters with an ellipsis, or the whole where it is not longer.
    package func shortened(to count: Int) -> String {
        self.count > count ? prefix(count - 1) + "…" : self
    }
}
