import WatchLink

/// The pause between attempts to connect: it doubles with each failure, up to a limit.
package struct ReconnectBackoff: Sendable {
    private let shortest: Microseconds
    private let longest: Microseconds
    private var next: Microseconds

    package init(shortest: Microseconds, longest: Microseconds) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    /// The pause after one more failure.
    package mutating func failed() -> Microseconds {
        defer { next = min(next + next, longest) }
        return next
    }

    /// An attempt has succeeded: the next pause is the shortest.
    package mutating func succeeded() { next = shortest }
}
