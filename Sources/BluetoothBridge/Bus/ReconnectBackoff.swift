/// How long to wait between attempts to reach a bus that is gone: longer each time, up to a limit.
struct ReconnectBackoff: Hashable, Sendable {
    /// The wait after the first failure.
    static let shortest = Duration.milliseconds(100)
    /// The longest wait: a bus that comes back is noticed within it.
    static let longest = Duration.seconds(2)

    private var next = ReconnectBackoff.shortest

    /// How long to wait after one more failure.
    mutating func failed() -> Duration {
        defer { next = min(next * 2, ReconnectBackoff.longest) }
        return next
    }

    /// The bus was reached.
    mutating func succeeded() { next = ReconnectBackoff.shortest }
}
