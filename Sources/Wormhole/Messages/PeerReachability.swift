import WatchLink

/// Whether a peer is reachable, and since when. For an unreachable peer, also the reason.
public enum PeerReachability: Sendable, Equatable {
    /// No link to the peer is open, so no message reaches it.
    case unreachable(Unreachable)
    /// A link to the peer is open.
    case reachable(Reachable)

    /// Whether a link to the peer is open.
    public var isReachable: Bool {
        switch self {
        case .unreachable: false
        case .reachable: true
        }
    }

    /// Since when a peer is unreachable, and why.
    public struct Unreachable: Sendable, Equatable {
        /// When the endpoint noticed that the peer is unreachable, on the endpoint's clock. Nil if `reason` is
        /// `.neverConnected`.
        public let since: WatchLink.Instant?
        /// Why no message reaches the peer.
        public let reason: UnreachableReason
    }

    /// Since when a peer is reachable, and what the endpoint has heard from it.
    public struct Reachable: Sendable, Equatable {
        /// When the peer's hello arrived, on the endpoint's clock.
        public let since: WatchLink.Instant
        /// When the peer's newest frame arrived, on the endpoint's clock. If no other frame arrives for
        /// `LinkTiming.supervision`, the peer becomes unreachable.
        public let lastHeard: WatchLink.Instant
        /// The peer's hello.
        public let hello: PeerHello
    }
}

/// Why a peer is unreachable.
public enum UnreachableReason: Sendable, Equatable {
    /// The peer has not connected since this endpoint started, or this endpoint has forgotten the peer.
    case neverConnected
    /// This endpoint could not open a connection. The value is the error of its last attempt.
    case noConnection(WormholeError)
    /// The transport closed without a goodbye.
    case connectionLost
    /// One side closed the link. The reason is `.silent` if no frame arrived from the peer, or a frame could
    /// not be sent, for `LinkTiming.supervision`.
    case closed(CloseReason)
    /// The store failed, so nothing could be stored or acknowledged. The text says how it failed.
    case storeFailed(String)
}

extension UnreachableReason: CustomStringConvertible {
    /// The reason as text for the user, on one line. In the text, "it" is the peer.
    public var description: String {
        switch self {
        case .neverConnected: "it has not connected yet"
        case .noConnection(let error): "no connection could be opened (\(error))"
        case .connectionLost: "the connection was lost"
        case .closed(let reason): reason.words
        case .storeFailed(let reason): "the message store failed (\(reason))"
        }
    }
}

/// A change of a peer's reachability.
public struct ReachabilityChange: Sendable, Equatable {
    /// The peer.
    public let peer: PeerIdentity
    /// The peer's new reachability.
    public let reachability: PeerReachability
}
