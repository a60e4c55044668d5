import WatchLink

/// An endpoint's role, name, limits and times.
public struct WormholeConfiguration: Sendable {
    /// A watch has one peer, its phone; a phone has any number of watches.
    public var role: LinkRole
    /// The name for the other side to show, at most 32 bytes of UTF-8: the rest is cut off.
    public var name: String
    /// The most bytes of a message that it accepts, name included; never more than a datagram holds.
    public var largestMessage: Int = 4_096
    /// The kinds of messages that it takes besides latest and queued ones, as its hello says.
    public var kinds = LinkKinds.all
    /// The longest file that it sends and receives, in bytes: 16 MiB.
    public var largestFile: UInt64 = 16 << 20
    /// How many complication messages may go to one peer on a day; further ones are delivered by `.queued`.
    public var complicationsADay = 50
    /// The local day, counted from 1970-01-01, whose budget a complication message is charged to.
    public var localDay: @Sendable () -> UInt32 = { LocalDay.today }
    /// How long a message that is passed by `.interactive` waits for whoever answers it.
    public var answerTime = Microseconds.seconds(10)
    /// The limits of time of the session.
    public var timing = LinkTiming()
    /// The pause before connecting again after a link that lasted; it doubles with each one that did not.
    public var shortestPause = ReconnectDelay.shortest
    /// The longest such pause.
    public var longestPause = ReconnectDelay.longest
    /// The pause after a goodbye with the reason that the peer refuses this endpoint, or that the two have no version in
    /// common.
    public var unwantedPause = ReconnectDelay.unwanted
    /// Local seconds since 1970 in the wearer's zone, which a phone sends to its watch; nil for unknown.
    public var localTime: @Sendable () -> UInt32? = { nil }

    /// Random bits, for a new identity and new epochs.
    public var randomNumber: @Sendable () -> UInt64 = { .random(in: .min ... .max) }

    /// The configuration of an endpoint with the usual times.
    public init(role: LinkRole, name: String = "") {
        self.role = role
        self.name = name
    }

    /// A number for a new epoch, never zero.
    func drawEpoch() -> UInt32 { max(UInt32(truncatingIfNeeded: randomNumber()), 1) }
}

/// How an endpoint gets its channels.
public enum ChannelSource: Sendable {
    /// Peers connect to it: a phone's watches over sockets, a watch's phone over Bluetooth.
    case listens(any TransportListener)
    /// It connects to its peer, and again when the channel is lost.
    case connects(any TransportConnector)
}
