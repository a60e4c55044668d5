import WatchLink

extension Microseconds {
    /// The rest of `left` after `right`; none where `right` is the longer one.
    package static func - (left: Microseconds, right: Microseconds) -> Microseconds {
        Microseconds(left < right ? 0 : left.count - right.count)
    }
}
