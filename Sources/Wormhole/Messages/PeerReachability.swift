import WatchLink

/// Whether a peer can be reached, and how that is known.
public enum PeerReachability: Sendable, Equatable {
    /// Nothing passes at present.
    case unreachable(Unreachable)
    /// The peer answers.
    case reachable(Reachable)

    /// Whether the peer answers.
    public var isReachable: Bool {
        switch self {
        case .unreachable: false
        case .reachable: true
        }
    }

    /// What tells that a peer cannot be reached.
    public struct Unreachable: Sendable, Equatable {
        /// When that was found, on the clock of the endpoint.
        public let since: WatchLink.Instant
        /// Why.
        public let reason: UnreachableReason
    }

    /// What tells that a peer can be reached.
    public struct Reachable: Sendable, Equatable {
        /// When its hello arrived, on the clock of the endpoint.
        public let since: WatchLink.Instant
        /// When its newest frame arrived. That plus the supervision time later it counts as unreachable.
        public let lastHeard: WatchLink.Instant
        /// What it said in its hello.
        public let hello: PeerHello
    }
}

/// Why a peer cannot be reached.
public enum UnreachableReason: Sendable, Equatable {
    /// It has not connected since this endpoint started.
    case neverConnected
    /// No connection could be opened; the error of the last attempt.
    case noConnection(WormholeError)
    /// The transport closed without a goodbye.
    case connectionLost
    /// The link was closed, by either side; `.silent` where nothing was heard for the supervision time.
    case closed(CloseReason)
    /// The store failed, so that nothing could be kept or acknowledged; the text says how.
    case storeFailed(String)
}

/// A change of how it stands with a peer.
public struct ReachabilityChange: Sendable, Equatable {
    /// The peer.
    public let peer: PeerIdentity
    /// How it stands now.
    public let reachability: PeerReachability
}
