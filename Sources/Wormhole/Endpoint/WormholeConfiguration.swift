import WatchLink

/// An endpoint's role, name and limits.
public struct WormholeConfiguration: Sendable {
    /// Watch or phone. A watch has one peer, its phone; a phone has any number of watches.
    public var role: LinkRole
    /// The name that the other side shows for this endpoint. The endpoint cuts it to 32 bytes of UTF-8.
    public var name: String
    /// The maximum size of an incoming message in bytes, including its name. If the transport's datagrams hold less, the
    /// transport's limit applies.
    public var largestMessage: Int = 4_096
    /// The kinds of messages that this endpoint takes besides latest and queued messages. Without `.files`, it does not send
    /// files either.
    public var kinds = LinkKinds.all
    /// The maximum length of a file to send or receive, in bytes. The default is 16 MiB.
    public var largestFile: UInt64 = 16 << 20
    /// The maximum number of complication messages to one peer per day. Messages beyond it are delivered as `.queued`.
    public var complicationsADay = 50
    /// Returns the present local day, in days since 1970-01-01. The budget of complication messages is for one such day.
    public var localDay: @Sendable () -> UInt32 = { LocalDay.today }
    /// How long an `.interactive` message of `pass` waits for the peer's answer before it fails. `ask` and `tell` have limits
    /// of their own.
    public var answerTime = Microseconds.seconds(10)
    /// The time limits of each link: the silence before this side sends a ping, the silence before it closes the link, and
    /// the wait for a hello.
    public var timing = LinkTiming()
    /// The first pause before this endpoint reconnects. The pause doubles with each connection that fails or that ends
    /// before a ping is answered, up to `longestPause`. A link on which a ping is answered resets the pause.
    public var shortestPause = ReconnectDelay.shortest
    /// The maximum pause after connections that fail or end early. The reason in a goodbye can demand a longer pause.
    public var longestPause = ReconnectDelay.longest
    /// The pause before this endpoint reconnects if the reason for the end of the link will not go away by itself.
    /// Examples: the peer refuses this endpoint, or speaks another version of the protocol.
    public var unwantedPause = ReconnectDelay.unwanted
    /// Returns the wearer's local time, in seconds since 1970-01-01 00:00 in the wearer's zone; nil if unknown. A phone sends
    /// it to its watches.
    public var localTime: @Sendable () -> UInt32? = { nil }

    /// Returns 64 random bits, for example for a new identity or epoch.
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
    /// Peers connect to the endpoint: watches to a phone over sockets, or a phone to a watch over Bluetooth.
    case listens(any TransportListener)
    /// The endpoint connects to its peer, and reconnects whenever the channel ends.
    case connects(any TransportConnector)
}
