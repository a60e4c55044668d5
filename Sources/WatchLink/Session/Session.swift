/// Whether our own hello has gone out on this connection.
enum Greeting: BitwiseCopyable {
    case owed
    case sent
}

/// One side of a link: takes bytes and time, gives back events and actions, and does no input or output itself.
///
/// The same machine serves both roles. It holds numbers and no messages: which message has which number, and keeping them
/// until they are acknowledged, is the shell's. The shell calls `connected`, then `receive` for every datagram and
/// `next(at:)` until that says `.wait`, and again whenever something happened or the time named there has come.
/// A call in a phase in which it means nothing does nothing; no bytes make it trap.
public struct Session: Sendable {
    /// Who we are. The epoch is that of the present connection.
    public internal(set) var identity: LinkIdentity
    /// What we are able to take in.
    public let limits: LinkLimits
    /// How long we wait.
    public let timing: LinkTiming
    /// Where the session stands.
    public internal(set) var phase = SessionPhase.disconnected
    /// Where the streams stand, brought up to date by every event.
    public internal(set) var positions = StreamPositions()
    /// The most bytes of a datagram that the transport carries.
    var maximumSDU: UInt32 = 0
    /// Local seconds since 1970 for our hello, 0 for unknown.
    var localTime: UInt32 = 0
    var greeting = Greeting.owed
    var outgoing = OutgoingStreams(resuming: StreamPositions())
    var incoming = IncomingStreams(resuming: StreamPositions())
    var probe = LivenessProbe(heard: .start)

    /// A session without a transport.
    ///
    /// - Parameters:
    ///   - identity: who we are.
    ///   - limits: what we are able to take in, told to the peer.
    ///   - timing: how long we wait.
    public init(identity: LinkIdentity, limits: LinkLimits, timing: LinkTiming = LinkTiming()) {
        self.identity = identity
        self.limits = limits
        self.timing = timing
    }

    /// Becomes a session of this identity without a transport, as if it were new. It is done in place: a second session beside
    /// it is more than the stack of a device should have to hold.
    @inline(never)
    public mutating func restart(as identity: LinkIdentity) {
        self.identity = identity
        phase = .disconnected
        positions = StreamPositions()
        maximumSDU = 0
        localTime = 0
        greeting = .owed
        outgoing = OutgoingStreams(resuming: StreamPositions())
        incoming = IncomingStreams(resuming: StreamPositions())
        probe = LivenessProbe(heard: .start)
    }

    /// The peer, while messages flow.
    public var peer: PeerHello? { phase.peer }

    /// Whether the peer can be reached, and what tells so.
    public var reachability: Reachability {
        switch phase {
        case .disconnected: .noTransport
        case .awaitingHello, .awaitingDecision: .connecting
        case .open: .reachable(lastHeard: probe.heard)
        case .leaving(let reason, _), .closing(let reason), .closed(let reason): .closed(reason)
        }
    }

    /// The time from a ping to its answer, of the last one answered on this connection.
    public var roundTrip: Microseconds? {
        switch probe.ping {
        case .answered(_, _, let roundTrip): roundTrip
        case .none, .sent: nil
        }
    }

    /// Whether messages flow, everything we issued is acknowledged, and everything that the peer had issued when it said
    /// hello is applied.
    public var isSynchronized: Bool {
        guard let peer = phase.peer else { return false }
        return positions.queuedAcknowledged >= positions.queuedIssued
            && positions.latestAcknowledged >= positions.latestIssued
            && positions.queuedApplied >= peer.queuedIssued && positions.latestApplied >= peer.latestIssued
    }

    /// The most bytes of a message body, name included, that the peer and the transport take; 0 while messages do not flow.
    ///
    /// A queued message that is longer can never be sent: the shell sends a frame with the flag `.noValue` in its place.
    public var largestBody: Int {
        guard let peer = phase.peer else { return 0 }
        let frame = min(maximumSDU, peer.limits.largestSDU)
        let body = min(frame &- UInt32(truncatingIfNeeded: MessageHeader.size), peer.limits.largestMessage)
        return Int(truncatingIfNeeded: min(body, 0x7FFF_FFFF))
    }

    /// Our hello, as of now.
    var ownHello: Hello {
        var hello = Hello(role: identity.role, identity: identity.identity, epoch: identity.epoch, limits: limits)
        hello.name = identity.name
        hello.localTime = localTime
        hello.knownEpoch = positions.peerEpoch
        hello.queuedApplied = positions.queuedApplied
        hello.latestApplied = positions.latestApplied
        hello.queuedIssued = positions.queuedIssued
        hello.latestIssued = positions.latestIssued
        hello.queuedFloor = positions.queuedAcknowledged
        return hello
    }
}
