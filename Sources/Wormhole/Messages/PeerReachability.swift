import WatchLink

/// Whether a peer can be reached, and how that is known.
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

    /// The evidence that a peer cannot be reached.
    public struct Unreachable: Sendable, Equatable {
        /// When that was noticed, on the clock of the endpoint; nil for a peer that never connected.
        public let since: WatchLink.Instant?
        /// Why.
        public let reason: UnreachableReason
    }

    /// The evidence that a peer can be reached.
    public struct Reachable: Sendable, Equatable {
        /// When its hello arrived, on the clock of the endpoint.
        public let since: WatchLink.Instant
        /// When its newest frame arrived. If none arrives for the supervision time after that, the peer counts as
        /// unreachable.
        public let lastHeard: WatchLink.Instant
        /// The peer's hello.
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
    /// Either side closed the link; `.silent` where nothing was received for the supervision time.
    case closed(CloseReason)
    /// The store failed, so that nothing could be stored or acknowledged; the text says how.
    case storeFailed(String)
}

extension UnreachableReason: CustomStringConvertible {
    /// One line for a person to read.
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
    /// Its reachability from now on.
    public let reachability: PeerReachability
}
