/// The phases of a session, each with the data that only it has. PROTOCOL.md draws the transitions. `LinkProgress` has
/// the data that changes with every frame, and says why it is not here.
package enum SessionPhase: Sendable, BitwiseCopyable {
    /// There is no transport.
    case disconnected
    /// The transport is up; the peer's hello has to arrive until this time. The watch sends its own hello, the phone
    /// waits.
    case awaitingHello(until: Instant)
    /// The phone has the watch's hello, and its shell is looking up the watch.
    case awaitingDecision(PeerHello)
    /// The handshake is complete and messages flow. The hello is the peer's.
    case open(PeerHello)
    /// This side closes the link and has not sent its goodbye yet. At this time it closes the transport without one.
    case leaving(CloseReason, until: Instant)
    /// The next action closes the transport.
    case closing(CloseReason)
    /// The action to close the transport was returned.
    case closed(CloseReason)

    package var isOpen: Bool {
        if case .open = self { true } else { false }
    }

    /// The peer's hello, nil unless messages flow.
    var peer: PeerHello? {
        if case .open(let peer) = self { peer } else { nil }
    }

    /// Whether arriving frames have a meaning.
    var isListening: Bool {
        switch self {
        case .awaitingHello, .awaitingDecision, .open: true
        case .disconnected, .leaving, .closing, .closed: false
        }
    }
}
