import HostSystem
import WatchLink
import Wormhole

/// A fact about a watch that the owner should know. The host logs it.
struct WatchNews: Hashable, Sendable {
    let watch: PeerIdentity
    let notice: Kind

    init(_ watch: PeerIdentity, _ notice: Kind) {
        self.watch = watch
        self.notice = notice
    }

    enum Kind: Hashable, Sendable {
        /// The phone forgot this watch to make room for a new watch. Of all local watches, this watch was away longest.
        case forgotten
        /// The watch had a factory reset. Its Bluetooth bond now belongs to this new identity.
        case succeeded(by: PeerIdentity)
        /// A device with another bond claimed the watch's identity and was refused.
        case claimed
        case startedOver(FeedResumption.StartOver)
        /// The database lacks this many messages of the watch, although the phone had acknowledged them.
        case lost(UInt32)
        case sharesIdentity
        /// The watch does not have the rows that the phone expected, so the phone sends the whole list again.
        case otherRows
    }
}

extension WatchNews.Kind {
    var isLoss: Bool {
        switch self {
        case .lost: true
        case .forgotten, .succeeded, .claimed, .startedOver, .sharesIdentity, .otherRows: false
        }
    }
}

extension WatchNews.Kind: CustomStringConvertible {
    /// What happened, as the rest of a sentence whose subject is the watch.
    var description: String {
        switch self {
        case .forgotten: "was away longest of \(WatchHandshake.mostLocalWatches) watches and is forgotten"
        case .succeeded(let watch): "was reset, is now \(watch), and is forgotten under its old identity"
        case .claimed: "belongs to another bonded device: a device that claimed to be this watch was refused"
        case .startedOver(let reason): "\(reason); it gets everything again"
        case .lost(let count):
            "had \(CountText(count, "message")) acknowledged that are not in the database: an older copy was put back"
        case .sharesIdentity: "is two watches with the same identity: reset one of them"
        case .otherRows: "has other rows than expected: sending the list again"
        }
    }
}

/// Limits the log lines about watches: the same news about a watch is logged at most once a minute.
struct NewsRateLimit {
    static let interval = Microseconds.seconds(60)
    /// The maximum number of lines in a minute about all watches together. Losses and other news each have this limit.
    /// Otherwise a program that invents watches could hide the losses of a real one.
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
