/// The phases of a session, each with the data that only it has. PROTOCOL.md draws the transitions. `LinkProgress` has the data
/// that changes with every frame, and says why it is not here.
package enum SessionPhase: Sendable, BitwiseCopyable {
    /// There is no transport.
    case disconnected
    /// The transport is up and the peer's hello has not arrived; it has to be there at this time. The watch sends its own hello,
    /// the phone waits.
    case awaitingHello(until: Instant)
    /// The phone has the watch's hello, and its shell is looking the watch up.
    case awaitingDecision(PeerHello)
    /// Both hellos are known; messages flow. The hello is the peer's.
    case open(PeerHello)
    /// This side ends the link and has not sent its goodbye yet. At this time it closes the transport without one.
    case leaving(CloseReason, until: Instant)
    /// The shell has to close the transport and has not been asked yet.
    case closing(CloseReason)
    /// The shell was asked to close the transport.
    case closed(CloseReason)

    /// Whether messages flow.
    package var isOpen: Bool {
        switch self {
        case .open: true
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: false
        }
    }

    /// The peer's hello, while messages flow.
    var peer: PeerHello? {
        switch self {
        case .open(let peer): peer
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: nil
        }
    }

    /// Whether frames that arrive have a meaning.
    var isListening: Bool {
        switch self {
        case .awaitingHello, .awaitingDecision, .open: true
        case .disconnected, .leaving, .closing, .closed: false
        }
    }
}
