import WatchLink

/// Lets a line about a watch into the log at most once a minute, however often its reason comes.
struct NewsRateLimit {
    /// The least time between two lines of the same kind about one watch.
    static let interval = Microseconds.seconds(60)
    /// The most lines a minute, about all watches together: as many about losses, and as many about everything else, so that
    /// watches which somebody invents do not hide what another one has lost.
    static let mostLines = 60

    private var lines: [WatchNews: WatchLink.Instant] = [:]

    /// Whether the line may be written now.
    mutating func admit(_ news: WatchNews, at now: WatchLink.Instant) -> Bool {
        lines = lines.filter { $0.value + NewsRateLimit.interval > now }
        let alike = lines.keys.count { $0.notice.isLoss == news.notice.isLoss }
        guard lines[news] == nil, alike < NewsRateLimit.mostLines else { return false }
        lines[news] = now
        return true
    }
}
