import WatchLink

/// How a message is delivered. The delivery itself says how it goes over the wire, what is kept of it and what is
/// promised.
public enum Delivery: UInt8, Hashable, Sendable, CaseIterable {
    /// The newest value under a name takes the place of the older; it can be read by name at any time on both sides.
    case latest
    /// First in, first out; every message is applied exactly once.
    case queued
    /// At once or an error, with an optional reply.
    case interactive
    /// Queued, and charged to the day's budget of the complication.
    case complication
    /// A file in chunks, verified by its hash.
    case file

    /// How a delivery goes over the wire.
    public struct Encoding: Equatable, Sendable {
        /// Byte 0 of the frames that carry it; see PROTOCOL.md of WatchLink.
        public let frameKind: FrameKind
    }

    /// What an endpoint keeps of a message until it is applied.
    public enum Persistence: Hashable, Sendable {
        /// Nothing: the message lives as long as the attempt.
        case nothing
        /// The newest value of each name, through restarts, until it is cleared.
        case newestOfName
        /// Every message, in order, through restarts, until the peer has applied it.
        case everyMessage
    }

    /// What the sender may rely on.
    public enum Guarantee: Hashable, Sendable {
        /// The peer gets the newest value; values in between may be left out.
        case newestWins
        /// The peer applies every message once, in the order in which they were passed.
        case exactlyOnceInOrder
        /// The message arrives now, or the sender learns that it did not.
        case nowOrError
        /// The peer has the whole file and its hash is right, or the sender learns that it has not.
        case wholeOrError
    }

    /// How it goes over the wire.
    public var encoding: Encoding {
        switch self {
        case .latest: Encoding(frameKind: .latest)
        case .queued: Encoding(frameKind: .queued)
        case .interactive: Encoding(frameKind: .interactive)
        case .complication: Encoding(frameKind: .complication)
        case .file: Encoding(frameKind: .file)
        }
    }

    /// What is kept of a message until it is applied.
    public var persistence: Persistence {
        switch self {
        case .latest: .newestOfName
        case .queued, .complication, .file: .everyMessage
        case .interactive: .nothing
        }
    }

    /// What the sender may rely on.
    public var guarantee: Guarantee {
        switch self {
        case .latest: .newestWins
        case .queued, .complication: .exactlyOnceInOrder
        case .interactive: .nowOrError
        case .file: .wholeOrError
        }
    }

    /// Whether this version speaks it; passing a message by any other throws `WormholeError.notSupportedYet`.
    public var isSupported: Bool {
        switch self {
        case .latest, .queued: true
        case .interactive, .complication, .file: false
        }
    }
}
