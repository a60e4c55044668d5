import WatchLink

/// How a message is delivered: its encoding, its storage and its guarantee.
public enum Delivery: UInt8, Hashable, Sendable, CaseIterable, Codable {
    /// A message with this delivery is called a latest value. A new value under a name replaces the older value. Both sides can
    /// read the newest value by its name at any time.
    case latest
    /// First in, first out; every message is applied exactly once.
    case queued
    /// Delivered at once to the reachable peers, and not stored. If no peer is reachable, the call throws. A peer can
    /// answer.
    case interactive
    /// Queued, and charged to the peer's daily budget of complication messages. Once the budget is used up, delivered like
    /// `queued`.
    case complication
    /// A file is sent in chunks, and verified by its SHA-256.
    case file

    /// The kind of this delivery's frames.
    public var encoding: FrameKind {
        switch self {
        case .latest: .latest
        case .queued: .queued
        case .interactive: .interactive
        case .complication: .complication
        case .file: .file
        }
    }
}
