import WatchLink

/// Limits the log lines about watches: one line of a kind a minute for each watch.
struct NewsRateLimit {
    /// The shortest time between two lines of the same kind about one watch.
    static let interval = Microseconds.seconds(60)
    /// The most lines a minute about all watches. Losses and other news have separate limits. Otherwise a program that invents
    /// watches could hide the losses of a real one.
    static let mostLines = 60

    private var lines: [WatchNews: WatchLink.Instant] = [:]

    mutating func admit(_ news: WatchNews, at now: WatchLink.Instant) -> Bool {
        lines = lines.filter { $0.value + NewsRateLimit.interval > now }
        let alike = lines.keys.count { $0.notice.isLoss == news.notice.isLoss }
        guard lines[news] == nil, alike < NewsRateLimit.mostLines else { return false }
        lines[news] = now
        return true
    }
}
