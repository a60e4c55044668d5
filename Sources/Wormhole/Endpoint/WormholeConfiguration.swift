import WatchLink

/// How an endpoint presents itself and how long it waits.
public struct WormholeConfiguration: Sendable {
    /// The part that it plays: a watch has one peer, its phone; a phone any number of watches.
    public var role: LinkRole
    /// What it is called, for the other side to show; longer than 32 bytes of UTF-8 it is cut.
    public var name: String
    /// The most bytes of a message that it takes, its name included; 4 KiB, and never more than a datagram holds.
    public var largestMessage: Int = 4_096
    /// How long the session waits for its peer.
    public var timing = LinkTiming()
    /// The pause before connecting again; it doubles with each failure.
    public var shortestPause = ReconnectDelay.shortest
    /// The longest such pause.
    public var longestPause = ReconnectDelay.longest
    /// The pause after a goodbye that says that this endpoint is not wanted or has no version in common with its peer.
    public var unwantedPause = ReconnectDelay.unwanted
    /// Local seconds since 1970 in the wearer's zone, which a phone sends to its watch; nil for unknown.
    public var localTime: @Sendable () -> UInt32? = { nil }

    /// Random numbers, for a new identity and new epochs.
    public var randomNumber: @Sendable () -> UInt64 = { .random(in: .min ... .max) }

    /// The configuration of an endpoint with the usual times.
    public init(role: LinkRole, name: String = "") {
        self.role = role
        self.name = name
    }

    /// A number for a new epoch, never zero.
    func drawEpoch() -> UInt32 { max(UInt32(truncatingIfNeeded: randomNumber()), 1) }
}

/// How an endpoint comes by its channels.
public enum ChannelSource: Sendable {
    /// Peers connect to it.
    case listens(any TransportListener)
    /// It connects to its peer, and again when the channel is lost.
    case connects(any TransportConnector)
}
