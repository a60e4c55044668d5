/// Where a session stands. PROTOCOL.md draws the transitions.
public enum SessionPhase: Equatable, Sendable, BitwiseCopyable {
    /// There is no transport.
    case disconnected
    /// The transport is up and the peer's hello is not there. The watch has sent its own or is about to; the phone waits.
    case awaitingHello(until: Instant)
    /// The phone has the watch's hello and its shell is looking the watch up.
    case awaitingDecision(PeerHello)
    /// Both know one another; messages flow.
    case open(PeerHello)
    /// We are closing and the goodbye has still to be sent, at the latest by then.
    case leaving(CloseReason, until: Instant)
    /// The shell is to close the transport, and has not been told yet.
    case closing(CloseReason)
    /// The shell has been told to close the transport.
    case closed(CloseReason)

    /// The peer, where both know one another.
    public var peer: PeerHello? {
        switch self {
        case .open(let peer): peer
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: nil
        }
    }

    /// Whether messages flow.
    public var isOpen: Bool {
        switch self {
        case .open: true
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: false
        }
    }

    /// Whether what arrives is of interest.
    var isListening: Bool {
        switch self {
        case .awaitingHello, .awaitingDecision, .open: true
        case .disconnected, .leaving, .closing, .closed: false
        }
    }
}

/// Whether the peer can be reached, and what tells so.
public enum Reachability: Equatable, Sendable, BitwiseCopyable {
    /// There is no transport.
    case noTransport
    /// The link was closed, for this reason, and the transport with it.
    case closed(CloseReason)
    /// The transport is up and the two are getting to know one another.
    case connecting
    /// The peer was heard at this time, within the supervision time of the last look at the clock.
    case reachable(lastHeard: Instant)

    /// Whether the peer can be reached.
    public var isReachable: Bool {
        switch self {
        case .reachable: true
        case .noTransport, .closed, .connecting: false
        }
    }
}
