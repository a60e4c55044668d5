import WatchLink

/// How long to wait between attempts to reach a bus that is gone: longer each time, up to a limit.
struct ReconnectBackoff: Sendable {
    /// The wait after the first failure.
    static let shortest = Microseconds.milliseconds(100)
    /// The longest wait: a bus that comes back is noticed within it.
    static let longest = Microseconds.seconds(2)

    private var next = ReconnectBackoff.shortest

    /// How long to wait after one more failure.
    mutating func failed() -> Microseconds {
        defer { next = min(next + next, ReconnectBackoff.longest) }
        return next
    }

    /// The bus was reached.
    mutating func succeeded() { next = ReconnectBackoff.shortest }
}
