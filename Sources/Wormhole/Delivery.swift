import WatchLink

/// How a message is delivered: its encoding, what is stored of it, and the guarantee.
public enum Delivery: UInt8, Hashable, Sendable, CaseIterable, Codable {
    /// The newest value under a name replaces the older; it can be read by name at any time on both sides.
    case latest
    /// First in, first out; every message is applied exactly once.
    case queued
    /// Delivered at once or an error, with an optional reply.
    case interactive
    /// Queued, and charged to the day's budget of the complication.
    case complication
    /// A file in chunks, verified by its hash.
    case file

    /// What an endpoint stores of a message until it is applied.
    public enum Persistence: Hashable, Sendable {
        /// Nothing: a message that cannot be sent now is dropped.
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

    /// Byte 0 of the frames that carry it; see PROTOCOL.md of WatchLink.
    public var encoding: FrameKind {
        switch self {
        case .latest: .latest
        case .queued: .queued
        case .interactive: .interactive
        case .complication: .complication
        case .file: .file
        }
    }

    /// What is stored of a message until it is applied.
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

    /// Whether this version supports it; passing a message by any other throws `WormholeError.notSupportedYet`.
    public var isSupported: Bool {
        switch self {
        case .latest, .queued, .interactive, .complication: true
        case .file: false
        }
    }
}
