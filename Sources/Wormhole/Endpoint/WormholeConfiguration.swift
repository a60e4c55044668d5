import WatchLink

/// An endpoint's role, name and limits.
public struct WormholeConfiguration: Sendable {
    /// Watch or phone. A watch has one peer, its phone; a phone has any number of watches.
    public var role: LinkRole
    /// The name that the other side shows, in UTF-8. Bytes beyond 32 are cut off.
    public var name: String
    /// The most bytes of an incoming message, including its name. If the transport's datagrams hold less, the transport's limit
    /// applies.
    public var largestMessage: Int = 4_096
    /// The kinds of messages that this endpoint takes besides latest and queued ones.
    public var kinds = LinkKinds.all
    /// The longest file to send or receive, in bytes (16 MiB by default).
    public var largestFile: UInt64 = 16 << 20
    /// The most complication messages to one peer per day. Further ones are delivered by `.queued`.
    public var complicationsADay = 50
    /// Returns the local day for the budget of complication messages, in days since 1970-01-01.
    public var localDay: @Sendable () -> UInt32 = { LocalDay.today }
    /// How long an `.interactive` message waits for the peer's answer before it fails.
    public var answerTime = Microseconds.seconds(10)
    /// The time limits of the session.
    public var timing = LinkTiming()
    /// The first pause before reconnecting. It doubles after each link that fails early.
    public var shortestPause = ReconnectDelay.shortest
    /// The longest pause before reconnecting.
    public var longestPause = ReconnectDelay.longest
    /// The pause after a goodbye that makes reconnecting pointless: the peer refuses this endpoint, or shares no version with it.
    public var unwantedPause = ReconnectDelay.unwanted
    /// Returns local seconds since 1970 in the wearer's zone; nil if unknown. A phone sends them to its watch.
    public var localTime: @Sendable () -> UInt32? = { nil }

    /// Returns random bits, for new identities and epochs.
    public var randomNumber: @Sendable () -> UInt64 = { .random(in: .min ... .max) }

    /// A configuration with the default limits and times.
    public init(role: LinkRole, name: String = "") {
        self.role = role
        self.name = name
    }

    func drawEpoch() -> UInt32 { max(UInt32(truncatingIfNeeded: randomNumber()), 1) }
}

/// How an endpoint gets its channels.
public enum ChannelSource: Sendable {
    /// Peers connect to the endpoint: a phone's watches over sockets, or a watch's phone over Bluetooth.
    case listens(any TransportListener)
    /// The endpoint connects to its peer, and reconnects after each loss.
    case connects(any TransportConnector)
}
