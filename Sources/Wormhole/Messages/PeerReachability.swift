import WatchLink

/// Whether a peer is reachable: since when, or why not.
public enum PeerReachability: Sendable, Equatable {
    /// No message can be sent at present.
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

    /// The evidence that a peer is unreachable.
    public struct Unreachable: Sendable, Equatable {
        /// When the endpoint noticed that the peer is unreachable, on the endpoint's clock; nil if the peer never connected.
        public let since: WatchLink.Instant?
        /// Why no message reaches the peer.
        public let reason: UnreachableReason
    }

    /// The evidence that a peer is reachable.
    public struct Reachable: Sendable, Equatable {
        /// When the peer's hello arrived, on the endpoint's clock.
        public let since: WatchLink.Instant
        /// When the peer's newest frame arrived. Once the supervision time has passed without another, the peer is unreachable.
        public let lastHeard: WatchLink.Instant
        /// The peer's hello.
        public let hello: PeerHello
    }
}

/// Why a peer is unreachable.
public enum UnreachableReason: Sendable, Equatable {
    /// The peer has not connected since this endpoint started.
    case neverConnected
    /// No connection could be opened; the error of the last attempt.
    case noConnection(WormholeError)
    /// The transport closed without a goodbye.
    case connectionLost
    /// Either side closed the link; `.silent` if nothing arrived for the supervision time.
    case closed(CloseReason)
    /// The store failed, as the text says, so nothing could be stored or acknowledged.
    case storeFailed(String)
}

extension UnreachableReason: CustomStringConvertible {
    /// One line for the user.
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
