/// Whether the peer can be reached, with the evidence.
public enum Reachability: Equatable, Sendable, BitwiseCopyable {
    /// There is no transport.
    case noTransport
    /// The link was closed for this reason, and the transport is closed or about to be.
    case closed(CloseReason)
    /// The transport is up and the two hellos have not both arrived.
    case connecting
    /// Messages can be sent. The peer was last heard at this time, which is less than the supervision time ago when the
    /// session was last asked for an action.
    case reachable(lastHeard: Instant)
}
